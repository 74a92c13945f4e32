package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// shelved is an account with calls that wait for a segment.
type shelved struct {
	t  *testing.T
	db *store.Store
	a  account.ID
}

func newShelved(t *testing.T, db *store.Store) *shelved {
	return &shelved{t, db, storetest.Account(t, db, "a").ID}
}

// published publishes a new call.
func (s *shelved) published() media.ID {
	s.t.Helper()
	m := storetest.Media(s.t, s.db, s.a)
	publish(s.t, s.db, s.a, m.ID, true)
	return m.ID
}

func (s *shelved) state() store.CallIndex {
	s.t.Helper()
	x, err := store.Read(s.t.Context(), s.db, func(tx *store.Tx) (store.CallIndex, error) {
		return tx.CallIndex(s.a, store.CallIndex{Version: -1}, 100)
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

// built returns the change that puts a segment in force with the calls that wait in a state.
func built(x store.CallIndex, id string) store.SegmentChange {
	c := store.SegmentChange{Version: x.Version}
	c.Indexed = append(c.Indexed, x.Waiting...)
	key := cipher.Key("12345678901234567890123456789012")
	c.Added = []store.Segment{{ID: id, Calls: len(c.Indexed), Oldest: c.Indexed[0].Media,
		Newest: c.Indexed[len(c.Indexed)-1].Media,
		Words:  store.SegmentFile{Blob: "segment/" + id, Size: 7, Sum: [32]byte{1, 2}, Key: key},
		Values: store.SegmentFile{Blob: "segment/values-" + id, Size: 8, Sum: [32]byte{3}, Key: key[:31] + "x"}}}
	return c
}

// change puts a change in force.
func (s *shelved) change(c store.SegmentChange) (blobs []string, err error) {
	c.Account = s.a
	for i := range c.Added {
		c.Added[i].Account = s.a
	}
	err = s.db.Update(s.t.Context(), func(tx *store.Tx) error {
		blobs, err = tx.ChangeSegments(c)
		return err
	})
	return blobs, err
}

func (s *shelved) build(id string) {
	s.t.Helper()
	if _, err := s.change(built(s.state(), id)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelved) update(f func(tx *store.Tx) error) {
	s.t.Helper()
	storetest.Update(s.t, s.db, f)
}

func (s *shelved) delete(id media.ID) {
	s.t.Helper()
	s.update(func(tx *store.Tx) error { _, err := tx.DeleteMedia(s.a, id); return err })
}

func TestACallWaitsUntilASegmentHasItsPresentRevision(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		if x := s.state(); x.Version != 0 || len(x.Waiting)+len(x.Segments) != 0 {
			t.Fatalf("an account without calls: %+v", x)
		}
		first, second := s.published(), s.published()
		x := s.state()
		if len(x.Waiting) != 2 || x.Waiting[0].Media != first || x.Waiting[1].Media != second || len(x.Touched) != 0 {
			t.Fatalf("published: %+v", x.Waiting)
		}
		c := built(x, "one")
		s.build("one")
		x = s.state()
		if len(x.Waiting)+len(x.Tombstones) != 0 || x.Version != 1 || len(x.Segments) != 1 {
			t.Fatalf("built: %+v", x)
		}
		want := c.Added[0]
		want.Account = s.a
		if x.Segments[0] != want {
			t.Errorf("%+v\nwant %+v", x.Segments[0], want)
		}
		s.update(func(tx *store.Tx) error { return tx.TouchAnalytic(s.a, second) })
		again := s.state()
		if len(again.Waiting) != 1 || again.Waiting[0].Media != second || len(again.Touched) != 0 ||
			again.Waiting[0].Change <= c.Indexed[1].Change {
			t.Fatalf("changed: %+v", again.Waiting)
		}
		if !slices.Equal(again.Tombstones, c.Indexed[1:]) || again.Age < 0 || again.Age > time.Hour {
			t.Errorf("the earlier revision, which the segment has: %+v", again)
		}
		publish(t, db, s.a, second, true)
		s.build("two")
		if x = s.state(); !slices.Equal(x.Tombstones, c.Indexed[1:]) || len(x.Segments) != 2 || len(x.Waiting) != 0 {
			t.Errorf("built again: %+v", x)
		}
		known, err := store.Read(t.Context(), db, func(tx *store.Tx) (store.CallIndex, error) { return tx.CallIndex(s.a, x, 100) })
		if err != nil || known.Segments != nil || known.Version != x.Version {
			t.Errorf("known: %+v, %v", known, err)
		}
	})
}

func TestACallWhoseValuesChangeKeepsItsWordsInTheSegment(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		first, second := s.published(), s.published()
		s.build("one")
		kept := s.state()
		s.update(func(tx *store.Tx) error { return tx.TouchValues(s.a, second) })
		s.update(func(tx *store.Tx) error { return tx.TouchValues(s.a, first) })
		x := s.state()
		if len(x.Waiting)+len(x.Tombstones) != 0 || len(x.Touched) != 2 || x.Touched[0].Media != second ||
			x.Touched[1].Media != first || x.Touched[1].Kept == 0 || x.Touched[1].Change <= x.Touched[1].Kept ||
			x.Stale < 0 || x.Stale > time.Hour || x.Version != kept.Version {
			t.Fatalf("touched: %+v", x)
		}
		s.update(func(tx *store.Tx) error { return tx.TouchValues(s.a, second) }) // after its values were read
		file := store.SegmentFile{Blob: "segment/newer", Size: 3, Sum: [32]byte{9}}
		renewal := store.SegmentChange{Version: x.Version, Renewed: []store.Renewal{{Segment: "one", Values: file,
			Calls: revisionsOf(x.Touched)}}}
		if blobs, err := s.change(renewal); err != nil || !slices.Equal(blobs, []string{"segment/values-one"}) {
			t.Fatalf("%v, %v", blobs, err)
		}
		y := s.state()
		if len(y.Waiting)+len(y.Tombstones) != 0 || len(y.Touched) != 1 || y.Touched[0].Media != second ||
			y.Touched[0].Kept != x.Touched[0].Kept || y.Version != x.Version+1 {
			t.Errorf("renewed: %+v", y)
		}
		want := kept.Segments[0]
		want.Values = file
		if y.Segments[0] != want {
			t.Errorf("%+v\nwant %+v", y.Segments[0], want)
		}
		publish(t, db, s.a, first, true)
		s.delete(second)
		if y = s.state(); len(y.Touched) != 0 || len(y.Waiting) != 1 || y.Waiting[0].Media != first ||
			!slices.Equal(y.Tombstones, []store.Revision{{Media: first, Change: x.Touched[1].Kept},
				{Media: second, Change: x.Touched[0].Kept}}) {
			t.Errorf("published again, and deleted: %+v", y)
		}
		renewal.Version = y.Version
		renewal.Renewed[0].Calls = append(y.Waiting, renewal.Renewed[0].Calls...)
		if _, err := s.change(renewal); err != nil {
			t.Fatal(err)
		}
		if z := s.state(); !slices.Equal(z.Waiting, y.Waiting) || len(z.Touched) != 0 {
			t.Errorf("the values of a call were renewed whose words are in no segment: %+v", z)
		}
		renewal.Version++
		renewal.Renewed[0].Segment = "two"
		if _, err := s.change(renewal); !fault.Is(err, fault.Conflict) {
			t.Errorf("a segment that is not in force: %v", err)
		}
	})
}

func revisionsOf(touched []store.Touched) (all []store.Revision) {
	for _, c := range touched {
		all = append(all, c.Revision)
	}
	return all
}

func TestOfTwoChangesOfTheSameSegmentsOneTakesEffect(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		s.published()
		for n, ids := range [][2]string{{"a", "b"}, {"c", "d"}} { // the first set of the account, and a later one
			if n > 0 {
				s.published()
			}
			seen := s.state()
			if _, err := s.change(built(seen, ids[0])); err != nil {
				t.Fatal(err)
			}
			if _, err := s.change(built(seen, ids[1])); !fault.Is(err, fault.Conflict) {
				t.Errorf("%s after %s: %v", ids[1], ids[0], err)
			}
			if x := s.state(); len(x.Segments) != n+1 || x.Segments[0].ID != ids[0] {
				t.Errorf("%+v", x.Segments)
			}
			hold := func(version int64) error {
				return db.Update(t.Context(), func(tx *store.Tx) error { return tx.HoldSegments(s.a, version) })
			}
			if err := hold(seen.Version); !fault.Is(err, fault.Conflict) {
				t.Errorf("a version of before: %v", err)
			}
			if err := hold(seen.Version + 1); err != nil {
				t.Errorf("the present version: %v", err)
			}
		}
	})
}

func TestWhatChangesWhileASegmentIsBuiltIsDeadInIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		deleted, changed, kept := s.published(), s.published(), s.published()
		seen := s.state()
		s.delete(deleted)
		s.update(func(tx *store.Tx) error { return tx.TouchAnalytic(s.a, changed) })
		c := built(seen, "one")
		if _, err := s.change(c); err != nil {
			t.Fatal(err)
		}
		x := s.state()
		want := []store.Revision{seen.Waiting[0], seen.Waiting[1]}
		if !slices.Equal(x.Tombstones, want) {
			t.Errorf("tombstones %+v, want %+v", x.Tombstones, want)
		}
		if len(x.Waiting) != 1 || x.Waiting[0].Media != changed || len(x.Touched) != 0 {
			t.Errorf("waiting: %+v", x.Waiting)
		}
		merged := store.SegmentChange{Version: x.Version, Removed: []string{"one"}, Dropped: want,
			Added: []store.Segment{{ID: "two", Words: store.SegmentFile{Blob: "segment/two"}, Calls: 1, Oldest: kept, Newest: kept}}}
		if blobs, err := s.change(merged); err != nil || !slices.Equal(blobs, []string{"segment/one", "segment/values-one"}) {
			t.Errorf("%v, %v", blobs, err)
		}
		if x = s.state(); len(x.Tombstones) != 0 || len(x.Segments) != 1 || x.Segments[0].ID != "two" {
			t.Errorf("merged: %+v", x)
		}
		merged.Version, merged.Added = x.Version, nil
		if _, err := s.change(merged); !fault.Is(err, fault.Conflict) {
			t.Errorf("a segment that is not in force is removed: %v", err)
		}
	})
}

func TestACallThatAnotherTransactionChangesIsNotTakenForIndexed(t *testing.T) {
	db := storetest.Postgres(t)
	s := newShelved(t, db)
	busy, idle := s.published(), s.published()
	c := built(s.state(), "one")
	s.update(func(tx *store.Tx) error {
		if err := tx.DropAnalytic(s.a, busy); err != nil {
			return err
		}
		if _, err := s.change(c); err != nil { // does not wait for this transaction
			return err
		}
		return nil
	})
	x := s.state()
	if !slices.Equal(x.Tombstones, c.Indexed[:1]) || len(x.Waiting) != 0 {
		t.Errorf("%+v", x)
	}
	s.delete(idle)
	if x = s.state(); len(x.Tombstones) != 2 {
		t.Errorf("deleted: %+v", x)
	}
}

func TestAnAccountTakesItsSegmentsWithIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		s.published()
		s.build("one")
		seen := s.state()
		var blobs []string
		s.update(func(tx *store.Tx) (err error) { blobs, err = tx.DeleteAccount(s.a); return err })
		if !slices.Contains(blobs, "segment/one") || !slices.Contains(blobs, "segment/values-one") {
			t.Errorf("blobs to delete: %v", blobs)
		}
		if x := s.state(); len(x.Segments)+len(x.Tombstones) != 0 || x.Version != 0 {
			t.Errorf("%+v", x)
		}
		if _, err := s.change(store.SegmentChange{Version: seen.Version}); !fault.Is(err, fault.NotFound) {
			t.Errorf("a job that has not noticed: %v", err)
		}
	})
}

func TestAccountsAreIndexedThatNeedIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		due := func(least int, age time.Duration) (all []account.ID) {
			t.Helper()
			all, err := store.Read(t.Context(), db, func(tx *store.Tx) ([]account.ID, error) {
				return tx.AccountsToIndex(store.IndexDue{Waiting: least, Touched: 2, Age: age, Subject: "index:"})
			})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		is := func(what string, all []account.ID, want bool) {
			t.Helper()
			if want != slices.Equal(all, []account.ID{s.a}) || !want && len(all) > 0 {
				t.Errorf("%s: %v", what, all)
			}
		}
		first, second := s.published(), s.published()
		is("three are worth a segment, two wait", due(3, time.Hour), false)
		is("two wait", due(2, time.Hour), true)
		s.update(func(tx *store.Tx) error {
			_, err := tx.Enqueue(job.Spec{Kind: "index", Account: string(s.a), Subject: "index:" + string(s.a)})
			return err
		})
		is("two wait, and there is a job", due(2, time.Hour), false)
		must(t, db.Exec(t.Context(), `DELETE FROM job`))
		s.build("one")
		is("indexed", due(1, time.Hour), false)
		s.delete(first)
		is("a tombstone is young", due(1, time.Hour), false)
		is("a tombstone is old", due(1, -time.Hour), true)
		must(t, db.Exec(t.Context(), `DELETE FROM tombstone`))
		s.update(func(tx *store.Tx) error { return tx.SetSegmentLost(s.a, "one", true) })
		is("a segment is lost", due(1, time.Hour), true)
		if x := s.state(); !x.Segments[0].Lost {
			t.Errorf("%+v", x.Segments)
		}
		x := s.state()
		if _, err := s.change(store.SegmentChange{Version: x.Version, Found: []string{"one"}}); err != nil {
			t.Fatal(err)
		}
		is("it is found", due(1, time.Hour), false)
		kept, err := store.Read(t.Context(), db, func(tx *store.Tx) ([]store.Revision, error) { return tx.KeptCalls(s.a, "", 9) })
		if err != nil || len(kept) != 1 || kept[0].Media != second {
			t.Errorf("%+v, %v", kept, err)
		}
		s.update(func(tx *store.Tx) error { return tx.Unkeep(s.a, kept) })
		is("a call is in no segment any more", due(1, time.Hour), true)
		must(t, db.Exec(t.Context(), `UPDATE analytic SET kept = change`))
		s.update(func(tx *store.Tx) error { return tx.TouchValues(s.a, second) })
		is("the values of one call have changed", due(1, time.Hour), false)
		is("they have changed long ago", due(1, -time.Hour), true)
		third := s.published()
		must(t, db.Exec(t.Context(), `UPDATE analytic SET kept = change`))
		s.update(func(tx *store.Tx) error { return errors.Join(tx.TouchValues(s.a, second), tx.TouchValues(s.a, third)) })
		is("the values of two have changed", due(1, time.Hour), true)
		must(t, db.Exec(t.Context(), `UPDATE analytic SET valued = change`))
		is("a segment has them", due(1, time.Hour), false)
	})
}

func TestEachOfManyAccountsIsIndexedThatNeedsIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		var want []account.ID
		for n := range 7 {
			a := storetest.Account(t, db, fmt.Sprint("account ", n)).ID
			for range n % 3 {
				published(t, db, storetest.Media(t, db, a), true)
			}
			if n%3 == 2 {
				want = append(want, a)
			}
		}
		got, err := store.Read(t.Context(), db, func(tx *store.Tx) ([]account.ID, error) {
			return tx.AccountsToIndex(store.IndexDue{Waiting: 2, Touched: 2, Age: time.Hour, Subject: "index:"})
		})
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || len(want) != 2 || !slices.Equal(got, want) {
			t.Errorf("%v, want %v (%v)", got, want, err)
		}
	})
}
