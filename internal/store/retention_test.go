package store_test

import (
	"errors"
	"testing"
	"time"

	"parley/internal/audit"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/store"
	"parley/internal/store/storetest"
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
		is(t, s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Retention("x"); return err }), fault.NotFound, fault.CodeNotFound)
		is(t, s.Update(t.Context(), func(tx *store.Tx) error { return tx.SetRetention("x", nil) }), fault.NotFound, fault.CodeNotFound)
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
				second(tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "b"})), tx.SetTimeToLive(m.ID, time.Hour),
				tx.SetStatus(m.ID, media.Running), tx.SetStatus(m.ID, media.Failed))
		})
		equal(t, expire(m.ID), []string(nil)) // not yet
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetTimeToLive(m.ID, time.Microsecond) })
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetStatus(m.ID, media.Scheduled) }) // reprocessed
		equal(t, expire(m.ID), []string(nil))
		storetest.Update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SetStatus(m.ID, media.Running), tx.SetStatus(m.ID, media.Failed))
		})
		equal(t, expire(m.ID), []string{"b"})
		equal(t, expire(m.ID), []string(nil)) // another node was first
		before["audit"]++                     // that it went
		equal(t, rows(t, s), before)
		lines := events(t, s, a.ID, audit.Filter{Action: audit.Delete, Media: m.ID})
		if len(lines) != 1 || lines[0].By != audit.ByExpiry {
			t.Errorf("the audit log has %+v", lines)
		}
	})
}

func second[T any](_ T, err error) error { return err }
