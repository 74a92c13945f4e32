package store_test

import (
	"errors"
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

// revisions returns the revisions of an account's calls, which are in no segment, by id.
func revisions(t *testing.T, s *store.Store, a account.ID) map[media.ID]int64 {
	t.Helper()
	x, err := store.Read(t.Context(), s, func(tx *store.Tx) (store.CallIndex, error) {
		return tx.CallIndex(a, store.CallIndex{}, 100)
	})
	if err != nil {
		t.Fatal(err)
	}
	all := map[media.ID]int64{}
	for _, w := range x.Waiting {
		all[w.Media] = w.Change
	}
	return all
}

func TestAChangeOfACallIsALaterRevision(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		first, second, theirs := storetest.Media(t, s, a), storetest.Media(t, s, a), storetest.Media(t, s, b)
		if all := revisions(t, s, a); len(all) != 0 {
			t.Errorf("before: %v", all)
		}
		publish(t, s, a, first.ID, true)
		publish(t, s, b, theirs.ID, true)
		publish(t, s, a, second.ID, false)
		before := revisions(t, s, a)
		if len(before) != 2 || before[second.ID] <= before[first.ID] || before[first.ID] == 0 {
			t.Errorf("published: %v", before)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.SetMetadata(a, first.ID, metadata(t, `{"title":"x"}`), 0)
			return err
		})
		changed := revisions(t, s, a)
		if changed[first.ID] <= before[second.ID] || changed[second.ID] != before[second.ID] {
			t.Errorf("changed: %v, before %v", changed, before)
		}
		err := s.View(t.Context(), func(tx *store.Tx) error {
			all, err := tx.AnalyticOf(a, []media.ID{first.ID, second.ID, theirs.ID})
			if err == nil && (len(all) != 2 || all[0].Media.ID != first.ID || all[0].Media.Metadata.Title() != "x" ||
				all[0].Change != changed[first.ID] || !all[0].Indexed || all[1].Indexed || string(all[1].Result) != "r") {
				t.Errorf("%+v", all)
			}
			return err
		})
		must(t, err)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.TouchAnalytic(b, first.ID) })
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, first.ID); return err })
		if all := revisions(t, s, a); len(all) != 1 || all[second.ID] != before[second.ID] {
			t.Errorf("deleted: %v", all)
		}
		publish(t, s, a, second.ID, true)
		if all := revisions(t, s, a); all[second.ID] <= changed[first.ID] {
			t.Errorf("published again: %v", all)
		}
		if all := revisions(t, s, b); len(all) != 1 {
			t.Errorf("the other account: %v", all)
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
	if all := revisions(t, s, a); len(all) != 2 {
		t.Errorf("%v", all)
	}
}

func TestNumbersOfChangesAreNotGivenTwiceWhenTheDatabaseGoesBackInTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		m := storetest.Media(t, s, a)
		number := func() int64 {
			t.Helper()
			all, err := store.Read(t.Context(), s, func(tx *store.Tx) (map[media.ID]int64, error) {
				return tx.Revisions(a, []media.ID{m.ID})
			})
			must(t, err)
			return all[m.ID]
		}
		publish(t, s, a, m.ID, true)
		before := number()
		publish(t, s, a, m.ID, true)
		gone := number()
		must(t, s.Exec(t.Context(), `UPDATE analytic SET change = $2 WHERE media = $1`, m.ID, before))
		publish(t, s, a, m.ID, true)
		if number() <= gone {
			t.Errorf("%d after %d", number(), gone)
		}
		const ahead = 1_000_000_000 // microseconds: changes come faster than the clock
		must(t, s.Exec(t.Context(), `UPDATE analytic SET change = change + $2, kept = change + $2 WHERE media = $1`, m.ID, ahead))
		for what, change := range map[string]func(*store.Tx) error{
			"published":      func(tx *store.Tx) error { return tx.PutAnalytic(a, m.ID, true) },
			"touched":        func(tx *store.Tx) error { return tx.TouchAnalytic(a, m.ID) },
			"values touched": func(tx *store.Tx) error { return tx.TouchValues(a, m.ID) },
			"dropped and published": func(tx *store.Tx) error {
				return errors.Join(tx.DropAnalytic(a, m.ID), tx.PutAnalytic(a, m.ID, true))
			},
		} {
			must(t, s.Exec(t.Context(), `UPDATE analytic SET kept = change WHERE media = $1`, m.ID))
			before = number()
			storetest.Update(t, s, change)
			if number() != before+1 {
				t.Errorf("%s: %d after %d", what, number(), before)
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
