package store_test

import (
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// failed creates a failed item with a withheld recording and a supplied transcript.
func failed(t *testing.T, s *store.Store) media.Media {
	t.Helper()
	m := storetest.Media(t, s, storetest.Account(t, s, "a").ID)
	storetest.Update(t, s, func(tx *store.Tx) error {
		if _, err := tx.PutStream(m.ID,
			media.Stream{Name: media.Original, Blob: "b", Size: 7, Withheld: true}); err != nil {
			return err
		}
		if err := tx.SetRequest(m.ID, []byte("configuration"), []byte("given")); err != nil {
			return err
		}
		return tx.SetStatus(m.ID, media.Failed, media.Accepted, media.Scheduled, media.Running)
	})
	return m
}

func TestWithheldStreamsAreShownToNobodyWhoOnlyAsksForThem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := failed(t, s)
		for _, withheld := range []bool{true, false} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				if err := tx.SetWithheld(m.ID, withheld); err != nil {
					return err
				}
				_, err := tx.Stream(m.Account, m.ID, media.Original)
				equal(t, fault.Is(err, fault.NotFound), withheld)
				shown, err := tx.Streams(m.Account, m.ID)
				equal(t, len(shown) == 0, withheld)
				if err != nil {
					return err
				}
				kept, err := tx.Kept(m.ID)
				equal(t, kept, []media.Stream{{Name: media.Original, Blob: "b", Size: 7, Withheld: withheld}})
				return err
			})
		}
	})
}

func TestWithheldStreamsGoWhenTheItemFailedLongAgo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := failed(t, s)
		for _, c := range []struct {
			life time.Duration
			want []string
		}{{time.Hour, nil}, {0, []string{"b"}}, {0, nil}} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				due, err := tx.WithheldMedia(c.life, 10)
				equal(t, len(due), len(c.want))
				if err != nil {
					return err
				}
				blobs, err := tx.DropWithheld(m.ID, c.life)
				equal(t, blobs, c.want)
				if err != nil {
					return err
				}
				_, given, err := tx.Request(m.ID)
				equal(t, len(given) == 0, c.life == 0)
				return err
			})
		}
	})
}

func TestWithheldStreamsOfItemsThatRunAgainStay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := failed(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error {
			if err := tx.SetStatus(m.ID, media.Scheduled); err != nil {
				return err
			}
			due, err := tx.WithheldMedia(0, 10)
			equal(t, len(due), 0)
			if err != nil {
				return err
			}
			blobs, err := tx.DropWithheld(m.ID, 0)
			equal(t, len(blobs), 0)
			return err
		})
	})
}
