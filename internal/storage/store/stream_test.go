package store_test

import (
	"errors"
	"slices"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
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

func TestWhatWasDerivedFromAReplacedRecordingIsNotUsed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		owner := storetest.Account(t, s, "a").ID
		m := storetest.Media(t, s, owner)
		put := func(stream media.Stream) {
			t.Helper()
			storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.PutStream(m.ID, stream); return err })
		}
		derive := func(stream media.Stream) error {
			return s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.PutDerived(owner, m.ID, stream); return err })
		}
		heard := func() (blob string, derived []string, err error) {
			err = s.View(t.Context(), func(tx *store.Tx) error {
				recording, all, err := tx.Sound(owner, m.ID)
				for _, stream := range all {
					derived = append(derived, stream.Blob)
				}
				blob = recording.Blob
				return err
			})
			return blob, derived, err
		}
		put(media.Stream{Name: media.Original, Blob: "o1"})
		peaks := media.Stream{Name: media.Peaks, Blob: "p1", Source: "o1", Unplayable: true}
		if err := derive(peaks); err != nil {
			t.Fatal(err)
		}
		if blob, derived, err := heard(); blob != "o1" || !slices.Equal(derived, []string{"p1"}) || err != nil {
			t.Errorf("%s %v %v", blob, derived, err)
		}
		put(media.Stream{Name: media.RedactedAudio, Blob: "r1"}) // by a server that knows of no derived streams
		if blob, derived, err := heard(); blob != "r1" || derived != nil || err != nil {
			t.Errorf("of the replaced recording: %s %v %v", blob, derived, err)
		}
		if err := derive(peaks); !fault.Is(err, fault.Conflict) {
			t.Errorf("what was made from the replaced recording is taken: %v", err)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			shown, err := tx.Streams(owner, m.ID)
			if len(shown) != 2 {
				t.Errorf("streams %v", shown)
			}
			if err != nil {
				return err
			}
			gone, err := tx.DropStale(m.ID)
			if !slices.Equal(gone, []string{"p1"}) {
				t.Errorf("dropped %v", gone)
			}
			return err
		})
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetWithheld(m.ID, true) })
		if _, _, err := heard(); !fault.Is(err, fault.NotFound) {
			t.Errorf("of a withheld recording: %v", err)
		}
		if err := derive(media.Stream{Name: media.Peaks, Blob: "p2", Source: "r1"}); !fault.Is(err, fault.NotFound) {
			t.Errorf("a waveform of a withheld recording is taken: %v", err)
		}
	})
}
