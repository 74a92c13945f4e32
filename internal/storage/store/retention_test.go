package store_test

import (
	"errors"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

func TestRetentionIsTheAccountsOwn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		month, none := 30*24*time.Hour, time.Duration(0)
		for _, life := range []*time.Duration{nil, &month, &none, nil} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				if err := tx.SetRetention(a.ID, life); err != nil {
					return err
				}
				got, err := tx.Retention(a.ID)
				equal(t, got, life)
				if err != nil {
					return err
				}
				other, err := tx.Retention(b.ID)
				equal(t, other, (*time.Duration)(nil))
				return err
			})
		}
		is(t, s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Retention("x"); return err }), fault.NotFound,
			fault.CodeNotFound)
		is(t, s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetRetention("x", nil) }), fault.NotFound,
			fault.CodeNotFound)
	})
}

func TestExpiredMediaGoOnceAndOnlyWhileTheyAreExpired(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		before := rows(t, s)
		expire := func(id media.ID) (blobs []string) {
			storetest.Update(t, s, func(tx *store.Tx) (err error) {
				blobs, err = tx.ExpireMedia(id)
				return err
			})
			return blobs
		}
		m := storetest.Media(t, s, a.ID)
		storetest.Update(t, s, func(tx *store.Tx) error {
			return errors.Join(
				second(tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "b"})),
				tx.SetTimeToLive(m.ID, time.Hour),
				tx.SetStatus(m.ID, media.Running), tx.SetStatus(m.ID, media.Failed))
		})
		equal(t, expire(m.ID), []string(nil)) // not yet
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetTimeToLive(m.ID, time.Microsecond) })
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetStatus(m.ID, media.Scheduled) }) // reprocessed
		equal(t, expire(m.ID), []string(nil))
		storetest.Update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SetStatus(m.ID, media.Running), tx.SetStatus(m.ID, media.Failed))
		})
		var removed []string
		for removed == nil { // SQLite's clock has a resolution of milliseconds
			removed = expire(m.ID)
		}
		equal(t, removed, []string{"b"})
		equal(t, expire(m.ID), []string(nil)) // another node was first
		before["audit"]++                     // that it went
		before["media_change"]++              // so that those who follow changes learn of it
		equal(t, rows(t, s), before)
		lines := events(t, s, a.ID, audit.Filter{Action: audit.Delete, Media: m.ID})
		if len(lines) != 1 || lines[0].By != audit.ByExpiry {
			t.Errorf("the audit log has %+v", lines)
		}
	})
}

func second[T any](_ T, err error) error { return err }

// Requests for an expired item get the same answer as for a deleted one; the sweep still finds it.
func TestAnItemWhoseTimeIsOverIsNotThereForWhoeverAsks(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		past, soon, endless := storetest.Media(t, s, a), storetest.Media(t, s, a), storetest.Media(t, s, a)
		for _, m := range []media.Media{past, soon, endless} {
			publish(t, s, a, m.ID, true)
		}
		end := func(m media.Media, ago time.Duration) {
			storetest.Update(t, s, func(tx *store.Tx) error {
				now, err := tx.Now()
				return errors.Join(err, tx.SetTimeToLive(m.ID, time.Hour), tx.SetFinished(m.ID, now.Add(-ago)))
			})
		}
		end(soon, 50*time.Minute)
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.RememberKey(a, "key", []byte("hash"), past.ID)
			return err
		})
		shown := func(want ...media.ID) {
			t.Helper()
			err := s.View(t.Context(), func(tx *store.Tx) error {
				listed, err := tx.ListMedia(a, store.MediaFilter{Ascending: true})
				items, err2 := tx.AnalyticItems(a, "", 10)
				of, err3 := tx.AnalyticOf(a, []media.ID{past.ID, soon.ID, endless.ID})
				n, err4 := tx.CountAnalytic(a)
				var ids [3][]media.ID
				for i := range max(len(listed), len(items), len(of)) {
					ids[0], ids[1] = append(ids[0], listed[i].ID), append(ids[1], items[i].Media)
					ids[2] = append(ids[2], of[i].Media.ID)
				}
				for _, got := range ids {
					equal(t, got, want)
				}
				equal(t, n, int64(len(want)))
				return errors.Join(err, err2, err3, err4)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		shown(past.ID, soon.ID, endless.ID)
		end(past, 61*time.Minute)
		shown(soon.ID, endless.ID)
		is(t, s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Media(a, past.ID); return err }),
			fault.NotFound, fault.CodeNotFound)
		for _, change := range []func(tx *store.Tx) error{
			func(tx *store.Tx) error { _, err := tx.LockMedia(a, past.ID); return err },
			func(tx *store.Tx) error { _, err := tx.SetMetadata(a, past.ID, metadata(t, `{}`), 0); return err },
		} {
			is(t, s.Update(t.Context(), change), fault.NotFound, fault.CodeNotFound)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, used, err := tx.KeyUsed(a, "key", []byte("hash"))
			equal(t, used, false)
			first, err2 := tx.RememberKey(a, "key", []byte("another"), soon.ID)
			equal(t, first, soon.ID)
			expired, err3 := tx.ExpiredAnalytic(a)
			equal(t, expired, []media.ID{past.ID})
			due, err4 := tx.ExpiredMedia(10)
			equal(t, len(due), 1)
			_, err5 := tx.MediaByID(past.ID) // workers can read it until it is removed
			return errors.Join(err, err2, err3, err4, err5)
		})
	})
}
