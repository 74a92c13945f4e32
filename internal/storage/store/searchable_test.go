package store_test

import (
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/media"
)

// published creates an item with a result.
func published(t *testing.T, s *store.Store, m media.Media, searchable bool) media.ID {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		if err := tx.PutResult(m.ID, store.Result{Version: 1, Result: []byte("r")}); err != nil {
			return err
		}
		if err := tx.SetSearchable(m.ID, searchable); err != nil {
			return err
		}
		return tx.PutAnalytic(m.Account, m.ID, false)
	})
	return m.ID
}

func TestAListOfSearchableItemsLeavesOutTheOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		plain := storetest.Media(t, s, a.ID).ID
		one, hidden, two := published(t, s, storetest.Media(t, s, a.ID), true),
			published(t, s, storetest.Media(t, s, a.ID), false), published(t, s, storetest.Media(t, s, b.ID), true)
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, f := range []store.MediaFilter{{Searchable: true},
				{Searchable: true, IDs: []media.ID{plain, one, hidden, two}}} {
				listed, err := tx.ListMedia(a.ID, f)
				if err != nil || len(listed) != 1 || listed[0].ID != one {
					t.Errorf("%+v: %v, %v", f, listed, err)
				}
			}
			listed, err := tx.ListMedia(a.ID, store.MediaFilter{IDs: []media.ID{plain, hidden, two}})
			if len(listed) != 2 || listed[0].ID != hidden || listed[1].ID != plain {
				t.Errorf("some ids: %v", listed)
			}
			return err
		})
	})
}

// TestTheIndexHasFailedItemsAsLongAsTheyAreFound shows, hides, and deletes an item without a result.
func TestTheIndexHasFailedItemsAsLongAsTheyAreFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		there := func() (all []store.Analytic) {
			t.Helper()
			storetest.Update(t, s, func(tx *store.Tx) (err error) {
				all, err = tx.AnalyticOf(a.ID, []media.ID{m.ID})
				return err
			})
			return all
		}
		show := func(yes bool) {
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.ShowFailed(a.ID, m.ID, yes) })
		}
		for range 2 {
			show(true)
			if all := there(); len(all) != 1 || all[0].Result != nil || all[0].Indexed || !all[0].Searchable {
				t.Errorf("shown: %+v", all)
			}
			show(false)
			if all := there(); len(all) > 0 {
				t.Errorf("hidden: %+v", all)
			}
		}
		show(true)
		storetest.Update(t, s, func(tx *store.Tx) error {
			n, err := tx.CountAnalytic(a.ID)
			equal(t, n, int64(0)) // it has no result
			return err
		})
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, m.ID); return err })
		if all := there(); len(all) > 0 {
			t.Errorf("deleted: %+v", all)
		}
	})
}
