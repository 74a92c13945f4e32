package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/media"
)

func events(t *testing.T, s *store.Store, a account.ID, f audit.Filter) (found []audit.Event) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		found, err = tx.Events(a, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAuditLogListsWhatAFilterSaysInAnyCombination(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		own, other := storetest.Account(t, s, "own"), storetest.Account(t, s, "other")
		random := rand.New(rand.NewPCG(1, 2))
		start := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
		items := []media.ID{"", "019a9f5e-3c00-7000-8000-000000000001", "019a9f5e-3c00-7000-8000-000000000002"}
		var all []audit.Event
		for i := range 300 {
			id := audit.First(start.Add(time.Duration(i/3) * time.Second))
			all = append(all, audit.Event{
				ID: id[:33] + audit.ID(fmt.Sprintf("%03d", i)), Account: own.ID, By: audit.ByToken,
				Token:  fmt.Sprint("t", random.IntN(3)),
				Remote: "192.0.2.1", Reference: fmt.Sprint("r", i), Action: audit.Actions[random.IntN(4)],
				Object: "media",
				Media:  items[random.IntN(3)], Name: "text", Outcome: audit.Refused, Code: 10205,
			})
		}
		strange := audit.Event{ID: audit.NewID(), Account: other.ID, Action: audit.Read}
		gone := audit.Event{ID: audit.NewID(), Account: "gone", Action: audit.Read}
		storetest.Update(t, s, func(tx *store.Tx) error {
			return tx.AddEvents(append(slices.Clone(all), strange, gone)...)
		})
		equal(t, rows(t, s)["audit"], 301)
		equal(t, events(t, s, other.ID, audit.Filter{}), []audit.Event{strange})
		maybe := func(n int) bool { return random.IntN(n) == 0 }
		for range 300 {
			f := audit.Filter{Limit: 1 + random.IntN(400), Ascending: maybe(2)}
			if maybe(2) {
				f.Action = audit.Actions[random.IntN(4)]
			}
			if maybe(2) {
				f.Media = items[1+random.IntN(2)]
			}
			if maybe(3) {
				f.Token = "t1"
			}
			if maybe(3) {
				f.From = start.Add(time.Duration(random.IntN(100_000)) * time.Millisecond)
			}
			if maybe(3) {
				f.Until = start.Add(time.Duration(random.IntN(100_000)) * time.Millisecond)
			}
			if maybe(3) {
				f.After = all[random.IntN(300)].ID
			}
			if maybe(3) {
				f.Before = all[random.IntN(300)].ID
			}
			if got, want := events(t, s, own.ID, f), matching(all, f); !slices.Equal(got, want) {
				t.Fatalf("%+v: %d events, want %d", f, len(got), len(want))
			}
		}
	})
}

// matching is the reference implementation of a filter.
func matching(all []audit.Event, f audit.Filter) []audit.Event {
	var found []audit.Event
	for _, e := range all {
		at := e.ID.Time()
		if (f.Action == "" || e.Action == f.Action) && (f.Media == "" || e.Media == f.Media) &&
			(f.Token == "" || e.Token == f.Token) &&
			!at.Before(f.From) && (f.Until.IsZero() || !at.After(f.Until)) && e.ID > f.After &&
			(f.Before == "" || e.ID < f.Before) {
			found = append(found, e)
		}
	}
	if !f.Ascending {
		slices.Reverse(found)
	}
	return found[:min(len(found), f.Limit)]
}

func TestWhatAContextAddsIsWrittenIfAndOnlyIfTheTransactionIs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		line := audit.Event{ID: audit.NewID(), Account: a.ID, Action: audit.Create}
		ctx := store.Also(t.Context(), func(tx *store.Tx) error { return tx.AddEvents(line) })
		mine := errors.New("mine")
		err := s.Update(ctx, func(tx *store.Tx) error {
			tx.SetSetting("x", nil)
			return mine
		})
		if !errors.Is(err, mine) || len(events(t, s, a.ID, audit.Filter{})) != 0 {
			t.Fatalf("after a failure: %v", err)
		}
		if err := s.Update(ctx, func(tx *store.Tx) error { return tx.SetSetting("x", nil) }); err != nil {
			t.Fatal(err)
		}
		equal(t, events(t, s, a.ID, audit.Filter{}), []audit.Event{line})
		ctx = store.Also(t.Context(), func(tx *store.Tx) error {
			if err := tx.AddEvents(audit.Event{ID: audit.NewID(), Account: a.ID, Action: audit.Create}); err != nil {
				return err
			}
			return mine
		})
		if err := s.Update(ctx, func(tx *store.Tx) error { return tx.SetSetting("y", nil) }); !errors.Is(err, mine) {
			t.Fatalf("what the context adds fails: %v", err)
		}
		equal(t, events(t, s, a.ID, audit.Filter{}), []audit.Event{line})
		err = s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Setting("y"); return err })
		if err == nil {
			t.Fatal("the transaction stands without its line")
		}
	})
}

func TestOldLinesOfTheAuditLogAreForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		kept := audit.Event{ID: audit.NewID(), Account: a.ID}
		old, past := make([]audit.Event, 1_123), time.Now().Add(-25*time.Hour)
		for i := range old {
			id := audit.First(past.Add(-time.Duration(i) * time.Millisecond))
			old[i] = audit.Event{ID: id, Account: a.ID}
		}
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.AddEvents(append(old, kept)...) })
		var turns []bool
		for more := true; more; turns = append(turns, more) {
			storetest.Update(t, s, func(tx *store.Tx) (err error) {
				more, err = tx.ForgetEvents(24 * time.Hour)
				return err
			})
		}
		equal(t, turns, []bool{true, false})
		equal(t, events(t, s, a.ID, audit.Filter{}), []audit.Event{kept})
	})
}
