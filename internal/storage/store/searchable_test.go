package store_test

import (
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/media"
)

// changes returns the pending changes of the index, with the number of changes per item.
func changes(t *testing.T, s *store.Store) map[media.ID]int64 {
	t.Helper()
	found := map[media.ID]int64{}
	if err := s.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.Changes("", 100)
		for _, c := range all {
			found[c.Media] = c.Number
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// published creates an item with a result.
func published(t *testing.T, s *store.Store, m media.Media, searchable bool) media.ID {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		if err := tx.PutResult(m.ID, store.Result{Version: 1, Result: []byte("r")}); err != nil {
			return err
		}
		return tx.SetSearchable(m.ID, searchable)
	})
	return m.ID
}

func TestTheIndexIsToldOfEveryChangeUntilItHasTakenItOver(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		fresh := storetest.Media(t, s, a.ID).ID
		shown, hidden := published(t, s, storetest.Media(t, s, a.ID), true),
			published(t, s, storetest.Media(t, s, a.ID), false)
		put := func(id media.ID) {
			storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.SetMetadata(a.ID, id, nil, 0); return err })
		}
		for _, id := range []media.ID{fresh, shown, hidden} {
			put(id)
		}
		equal(t, changes(t, s), map[media.ID]int64{shown: 2, hidden: 1})
		takeOver := func(seen ...store.Change) {
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.TakenOver(seen) })
		}
		takeOver(store.Change{Media: shown, Number: 1}, store.Change{Media: hidden, Number: 1})
		equal(t, changes(t, s), map[media.ID]int64{shown: 2}) // it changed once more meanwhile
		takeOver(store.Change{Media: shown, Number: 2})
		equal(t, changes(t, s), map[media.ID]int64{})
		for _, id := range []media.ID{fresh, shown, hidden} {
			storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, id); return err })
		}
		equal(t, changes(t, s), map[media.ID]int64{shown: 1}) // only what the index has
	})
}

func TestADeletedAccountLeavesTheIndex(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		gone, stays := published(t, s, storetest.Media(t, s, a.ID), true),
			published(t, s, storetest.Media(t, s, b.ID), true)
		storetest.Update(t, s, func(tx *store.Tx) error {
			err := tx.TakenOver([]store.Change{{Media: gone, Number: 1}, {Media: stays, Number: 1}})
			if err == nil {
				_, err = tx.DeleteAccount(a.ID)
			}
			return err
		})
		equal(t, changes(t, s), map[media.ID]int64{gone: 1})
	})
}

func TestOnlyWhatIsSearchableIsIndexedAndListedSo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		old := storetest.Media(t, s, a.ID).ID
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.PutResult(old, store.Result{Version: 1}) })
		one, hidden, two := published(t, s, storetest.Media(t, s, a.ID), true),
			published(t, s, storetest.Media(t, s, a.ID), false), published(t, s, storetest.Media(t, s, b.ID), true)
		ids := []media.ID{old, one, hidden, two, "none"}
		published(t, s, storetest.Media(t, s, b.ID), true) // pending as a change, so it is not listed as well
		storetest.Update(t, s, func(tx *store.Tx) error {
			return tx.TakenOver([]store.Change{{Media: one, Number: 1}, {Media: hidden, Number: 1},
				{Media: two, Number: 1}})
		})
		if err := s.View(t.Context(), func(tx *store.Tx) error {
			items, err := tx.Indexable(ids)
			if err != nil {
				return err
			}
			var found []media.ID
			for _, i := range items {
				found = append(found, i.Media)
				equal(t, string(i.Result), "r")
			}
			equal(t, found, []media.ID{one, two})
			newest, err := tx.SearchableMedia("", 10)
			equal(t, newest, []media.ID{two, one})
			if err != nil {
				return err
			}
			older, err := tx.SearchableMedia(two, 1)
			equal(t, older, []media.ID{one})
			if err != nil {
				return err
			}
			n, err := tx.CountSearchable()
			equal(t, n, int64(3)) // with the one that waits
			if err != nil {
				return err
			}
			for _, f := range []store.MediaFilter{{Searchable: true}, {Searchable: true, IDs: ids[:4]}} {
				listed, err := tx.ListMedia(a.ID, f)
				if err != nil || len(listed) != 1 || listed[0].ID != one {
					t.Errorf("%+v: %v, %v", f, listed, err)
				}
			}
			listed, err := tx.ListMedia(a.ID, store.MediaFilter{IDs: []media.ID{old, hidden, two}})
			if len(listed) != 2 || listed[0].ID != hidden || listed[1].ID != old {
				t.Errorf("some ids: %v", listed)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}
