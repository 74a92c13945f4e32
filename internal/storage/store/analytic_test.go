package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// publish publishes a result of an item for queries over many calls.
func publish(t *testing.T, s *store.Store, a account.ID, id media.ID, indexed bool) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		if err := tx.PutResult(id, store.Result{Version: 1, Result: []byte("r")}); err != nil {
			return err
		}
		return tx.PutAnalytic(a, id, indexed)
	})
}

// analytic returns an account's clock and the changes after a change number.
func analytic(
	t *testing.T, s *store.Store, a account.ID, after int64,
) (c store.AnalyticClock, changed []store.Analytic) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		if c, err = tx.AnalyticClock(a); err != nil {
			return err
		}
		changed, err = tx.AnalyticChanges(a, after, 10)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, changed
}

func TestTheAnalyticClockTellsWhatIsPublishedChangedAndDeleted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		first, second, theirs := storetest.Media(t, s, a), storetest.Media(t, s, a), storetest.Media(t, s, b)
		if c, all := analytic(t, s, a, 0); c.Change != 0 || len(all) != 0 {
			t.Errorf("before: %+v, %v", c, all)
		}
		publish(t, s, a, first.ID, true)
		publish(t, s, b, theirs.ID, true)
		publish(t, s, a, second.ID, false)
		c, all := analytic(t, s, a, 0)
		if c.Change == 0 || c.Removals != 0 || len(all) != 2 || all[0].Media.ID != first.ID || !all[0].Indexed ||
			all[1].Indexed || string(all[1].Result) != "r" || all[1].Change != c.Change {
			t.Errorf("published: %+v, %+v", c, all)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.SetMetadata(a, first.ID, metadata(t, `{"title":"x"}`), 0)
			return err
		})
		before := c
		if c, all := analytic(t, s, a, before.Change); c.Change <= before.Change || len(all) != 1 || all[0].Media.ID != first.ID ||
			all[0].Media.Metadata.Title() != "x" || !all[0].Indexed {
			t.Errorf("changed: %+v, %+v", c, all)
		}
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.TouchAnalytic(b, first.ID) })
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, first.ID); return err })
		c, all = analytic(t, s, a, 0)
		if c.Change <= before.Change || c.Removals != 1 || len(all) != 1 || all[0].Media.ID != second.ID {
			t.Errorf("deleted: %+v, %+v", c, all)
		}
		publish(t, s, a, second.ID, true)
		if now, all := analytic(t, s, a, c.Change); len(all) != 1 || now.Change <= c.Change || all[0].Change != now.Change || !all[0].Indexed {
			t.Errorf("published again: %+v", all)
		}
		if c, all := analytic(t, s, b, 0); c.Change == 0 || len(all) != 1 {
			t.Errorf("the other account: %+v, %+v", c, all)
		}
	})
}

// removals returns what was deleted between two clocks, and whether all of it is known.
func removals(t *testing.T, s *store.Store, seen, now store.AnalyticClock) (gone []media.ID, known bool) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		gone, known, err = tx.AnalyticRemovals(seen, now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return gone, known
}

func TestDeletionsAreToldOneByOne(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		var ids []media.ID
		for range 4 {
			m := storetest.Media(t, s, a)
			publish(t, s, a, m.ID, true)
			ids = append(ids, m.ID)
		}
		drop := func(id media.ID) (after store.AnalyticClock) {
			storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, id); return err })
			after, _ = analytic(t, s, a, 0)
			return after
		}
		start, _ := analytic(t, s, a, 0)
		first := drop(ids[0])
		second := drop(ids[1])
		if gone, known := removals(t, s, start, second); !known || !slices.Equal(gone, ids[:2]) {
			t.Errorf("two deletions: %v, %v", gone, known)
		}
		if gone, known := removals(t, s, first, second); !known || !slices.Equal(gone, ids[1:2]) {
			t.Errorf("the second deletion: %v, %v", gone, known)
		}
		if gone, known := removals(t, s, second, second); !known || len(gone) != 0 {
			t.Errorf("no deletion: %v, %v", gone, known)
		}
		if _, known := removals(t, s, second, first); known {
			t.Error("deletions of before are known as later ones")
		}
		restarted := start
		restarted.Incarnation++
		if _, known := removals(t, s, restarted, second); known {
			t.Error("what happened before the database was started is known")
		}
		// as a server of version 3 deletes
		must(t, s.Exec(t.Context(), `DELETE FROM analytic WHERE media = $1`, ids[2]))
		must(t, s.Exec(t.Context(), `UPDATE analytic_clock SET removals = removals + 1 WHERE account = $1`, a))
		last := drop(ids[3])
		if _, known := removals(t, s, second, last); known {
			t.Error("a deletion without a record is known")
		}
		must(t, s.Exec(t.Context(), `UPDATE analytic_removal SET at = 1 WHERE removal = 1`))
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.ForgetRemovals() })
		if _, known := removals(t, s, start, second); known {
			t.Error("a deletion that was forgotten is known")
		}
		if gone, known := removals(t, s, first, second); !known || len(gone) != 1 {
			t.Errorf("a deletion that was not forgotten: %v, %v", gone, known)
		}
	})
}

// An account's recordings finish beside a transaction that publishes one of them and has not ended.
func TestAPublicationLocksItsAccountAtTheEndOnly(t *testing.T) {
	s := storetest.Postgres(t)
	a := storetest.Account(t, s, "a").ID
	first, second := storetest.Media(t, s, a), storetest.Media(t, s, a)
	storetest.Update(t, s, func(tx *store.Tx) error {
		used := func(tx *store.Tx) error { return tx.AddUsage(a, time.Now(), store.Usage{Given: time.Second}) }
		err := tx.PutResult(first.ID, store.Result{Version: 1, Result: []byte("r")})
		if err := errors.Join(err, tx.PutAnalytic(a, first.ID, true), used(tx)); err != nil {
			return err
		}
		publish(t, s, a, second.ID, true)
		storetest.Update(t, s, used)
		return nil
	})
	if c, all := analytic(t, s, a, 0); len(all) != 2 || c.Change != all[1].Change || all[1].Media.ID != first.ID {
		t.Errorf("%+v, %+v", c, all)
	}
}

func TestNumbersOfChangesAreNotGivenTwiceWhenTheDatabaseGoesBackInTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		first, lost := storetest.Media(t, s, a), storetest.Media(t, s, a)
		publish(t, s, a, first.ID, true)
		before, _ := analytic(t, s, a, 0)
		publish(t, s, a, lost.ID, true)
		gone, _ := analytic(t, s, a, 0)
		must(t, s.Exec(t.Context(), `DELETE FROM analytic WHERE media = $1`, lost.ID))
		must(t, s.Exec(t.Context(), `UPDATE analytic_clock SET change = $2 WHERE account = $1`, a, before.Change))
		publish(t, s, a, first.ID, true)
		if after, all := analytic(t, s, a, before.Change); after.Change <= gone.Change || len(all) != 1 {
			t.Errorf("%+v after %+v: %+v", after, gone, all)
		}
		for range 3 { // faster than the clock
			before, _ = analytic(t, s, a, 0)
			must(t, s.Exec(t.Context(), `UPDATE analytic_clock SET change = change + 1000000000 WHERE account = $1`, a))
			publish(t, s, a, first.ID, true)
			if after, _ := analytic(t, s, a, 0); after.Change != before.Change+1000000001 {
				t.Errorf("%d after %d", after.Change, before.Change)
			}
		}
	})
}

func TestWhatNoQueryCanLookAtIsCountedUpToABound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		waiting, again := storetest.Media(t, s, a), storetest.Media(t, s, a)
		storetest.Media(t, s, b)
		publish(t, s, a, again.ID, true)
		count := func(from, until time.Time, most int) (u store.Unread) {
			t.Helper()
			err := s.View(t.Context(), func(tx *store.Tx) (err error) {
				u, err = tx.CountUnread(a, from, until, most)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
		if u := count(time.Time{}, time.Time{}, 10); u != (store.Unread{Waiting: 1}) {
			t.Errorf("%+v", u)
		}
		if u := count(time.Time{}, time.Time{}, 2); u != (store.Unread{Waiting: 1, More: true}) {
			t.Errorf("no further than a bound: %+v", u)
		}
		if u := count(waiting.Created.Add(time.Hour), time.Time{}, 10); u != (store.Unread{}) {
			t.Errorf("later: %+v", u)
		}
		if u := count(time.Time{}, waiting.Created, 10); u != (store.Unread{}) {
			t.Errorf("earlier: %+v", u)
		}
	})
}
