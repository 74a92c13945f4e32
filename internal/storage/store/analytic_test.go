package store_test

import (
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
		if c.Change != 2 || c.Removals != 0 || len(all) != 2 || all[0].Media.ID != first.ID || !all[0].Indexed ||
			all[1].Indexed || string(all[1].Result) != "r" || all[1].Change != 2 {
			t.Errorf("published: %+v, %+v", c, all)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.SetMetadata(a, first.ID, metadata(t, `{"title":"x"}`), 0)
			return err
		})
		if c, all := analytic(t, s, a, 2); c.Change != 3 || len(all) != 1 || all[0].Media.ID != first.ID ||
			all[0].Media.Metadata.Title() != "x" || !all[0].Indexed {
			t.Errorf("changed: %+v, %+v", c, all)
		}
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.TouchAnalytic(b, first.ID) })
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, first.ID); return err })
		c, all = analytic(t, s, a, 0)
		if c.Change != 3 || c.Removals != 1 || len(all) != 1 || all[0].Media.ID != second.ID {
			t.Errorf("deleted: %+v, %+v", c, all)
		}
		publish(t, s, a, second.ID, true)
		if _, all := analytic(t, s, a, 3); len(all) != 1 || all[0].Change != 4 || !all[0].Indexed {
			t.Errorf("published again: %+v", all)
		}
		if c, all := analytic(t, s, b, 0); c.Change != 1 || len(all) != 1 {
			t.Errorf("the other account: %+v, %+v", c, all)
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
