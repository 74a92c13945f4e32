package store_test

import (
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

func TestStorageIsThatOfTheStreamsWhateverIsDoneToThem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, other := storetest.Account(t, s, "a"), storetest.Account(t, s, "other")
		m, n, theirs := storetest.Media(t, s, a.ID), storetest.Media(t, s, a.ID), storetest.Media(t, s, other.ID)
		put := func(id media.ID, name string, size int64) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				_, err := tx.PutStream(id, media.Stream{Name: name, Blob: name, Size: size})
				return err
			}
		}
		for i, step := range []struct {
			do   func(*store.Tx) error
			want int64
		}{
			{put(m.ID, media.Original, 100), 100},
			{put(theirs.ID, media.Original, 1<<40), 100},
			{put(n.ID, media.Original, 7), 107},
			{put(m.ID, media.RedactedAudio, 20), 127},
			{put(m.ID, media.Original, 30), 57},
			{func(tx *store.Tx) error { _, err := tx.DeleteStream(m.ID, media.Original); return err }, 27},
			{func(tx *store.Tx) error { _, err := tx.DeleteStream(m.ID, "none"); return err }, 27},
			{func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, m.ID); return err }, 7},
			{func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, n.ID); return err }, 0},
		} {
			storetest.Update(t, s, step.do)
			storetest.Update(t, s, func(tx *store.Tx) error {
				got, err := tx.Storage(a.ID)
				if got != step.want {
					t.Errorf("after step %d: %d bytes, want %d", i, got, step.want)
				}
				return err
			})
		}
	})
}

func TestLimitsOfAnAccountAreReadAsTheyWereSet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		bytes, none := int64(1<<40), int64(0)
		for _, l := range []account.Limits{{Storage: &bytes, Rate: &none}, {Rate: &bytes}, {}} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				if err := tx.SetAccountLimits(a.ID, l); err != nil {
					return err
				}
				got, err := tx.Account(a.ID)
				equal(t, got.Limits, l)
				return err
			})
		}
	})
}
