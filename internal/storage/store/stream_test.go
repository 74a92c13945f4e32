package store_test

import (
	"errors"
	"slices"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/media"
)

func TestEachStreamVisitsTheStreamsOfAllAccountsAndTheTotalsCountThem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var want []media.Stream
		for i, account := range []string{"a", "b"} {
			m := storetest.Media(t, s, storetest.Account(t, s, account).ID)
			for _, name := range []string{media.Original, media.RedactedAudio} {
				stream := media.Stream{Name: name, Blob: account + "/" + name, ContentType: "audio/wav",
					Size: int64(10 + i)}
				want = append(want, stream)
				storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.PutStream(m.ID, stream); return err })
			}
		}
		if err := s.View(t.Context(), func(tx *store.Tx) error {
			var got []media.Stream
			err := tx.EachStream(func(s media.Stream) error { got = append(got, s); return nil })
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
			n, bytes, err := tx.StreamTotals()
			if n != 4 || bytes != 42 || err != nil {
				t.Errorf("totals: %d streams, %d bytes, %v", n, bytes, err)
			}
			enough := errors.New("enough")
			if err := tx.EachStream(func(media.Stream) error { return enough }); !errors.Is(err, enough) {
				t.Errorf("the function failed and EachStream said %v", err)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}
