package store_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/sqldb"
	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
)

// silenced opens a store over a line, with several connections in its pool.
func silenced(t *testing.T) (*store.Store, *pgtest.Line) {
	t.Helper()
	url := pgtest.URL(t)
	storetest.Open(t, url)
	line := pgtest.Through(t, url)
	s, err := store.Open(t.Context(), store.Config{URL: line.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var inside, views sync.WaitGroup
	inside.Add(4)
	for range 4 {
		views.Go(func() {
			if err := s.View(t.Context(), func(*store.Tx) error { inside.Done(); inside.Wait(); return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	views.Wait()
	return s, line
}

func TestADatabaseThatFallsSilentIsGivenUpAtTheDeadline(t *testing.T) {
	s, line := silenced(t)
	enqueue(t, s, job.Spec{Kind: "k"})
	held := one(t, s)
	short := sqldb.Patient(t.Context(), 300*time.Millisecond)
	inside := func(ask func(*store.Tx) error) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			line.Silence()
			return ask(tx)
		}
	}
	_, claim := s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 1})
	if claim != nil {
		t.Fatal(claim)
	}
	for what, do := range map[string]func() error{
		"a statement of an update": func() error {
			return s.Update(short, inside(func(tx *store.Tx) error { return tx.SetSetting("a", nil) }))
		},
		"a commit": func() error { return s.Update(short, inside(func(*store.Tx) error { return nil })) },
		"a view": func() error {
			return s.View(short, inside(func(tx *store.Tx) error { _, err := tx.Now(); return err }))
		},
		"a claim": func() error {
			line.Silence()
			_, err := s.Queue().Claim(short, job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 1})
			return err
		},
		"a renewal": func() error {
			line.Silence()
			_, err := s.Queue().Heartbeat(short, []job.Held{held.Held()})
			return err
		},
		"reaping":                 func() error { line.Silence(); _, err := s.Queue().Reap(short); return err },
		"the check of readiness":  func() error { line.Silence(); return s.Ping(short) },
		"the check of the schema": func() error { line.Silence(); return s.CheckSchema(short) },
	} {
		line.Mend()
		if err := s.Ping(t.Context()); err != nil {
			t.Fatalf("before %s: %v", what, err)
		}
		if err := do(); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// After a fail-over every connection of the pool leads to a host that is gone.
func TestAfterSilenceTheFirstTransactionsFindTheDatabaseAgain(t *testing.T) {
	s, line := silenced(t)
	line.Silence()
	line.Mend()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 2*sqldb.Deadline)
	defer cancel()
	for try := 1; ; try++ {
		err := s.Ping(sqldb.Patient(ctx, 3*time.Second))
		if err == nil {
			break
		}
		if try == 3 {
			t.Fatalf("try %d, after %v: %v", try, time.Since(began), err)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := s.Ping(sqldb.Patient(ctx, 3*time.Second)); err != nil {
				t.Errorf("later: %v", err)
			}
		})
	}
	all.Wait()
}

// A URL may name several hosts. The one that answers and accepts writes is used.
func TestAnotherHostTakesOverFromASilentOne(t *testing.T) {
	url := pgtest.URL(t)
	storetest.Open(t, url)
	first, second := pgtest.Through(t, url), pgtest.Through(t, url)
	host := func(l *pgtest.Line) string {
		return strings.Split(strings.TrimPrefix(l.URL, "postgres://postgres@"), "/")[0]
	}
	both := strings.Replace(first.URL, host(first), host(first)+","+host(second), 1)
	s, err := store.Open(t.Context(), store.Config{URL: both + "?target_session_attrs=read-write&connect_timeout=1"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	first.Silence()
	if err := s.Ping(sqldb.Patient(t.Context(), 3*time.Second)); err != nil {
		t.Logf("the transaction that noticed: %v", err)
	}
	if err := s.Ping(sqldb.Patient(t.Context(), 10*time.Second)); err != nil {
		t.Errorf("with one host silent: %v", err)
	}
}

func TestATimeoutOfConnectingIsUnavailable(t *testing.T) {
	line := pgtest.Through(t, pgtest.URL(t))
	line.Silence()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := store.Open(ctx, store.Config{URL: line.URL + "?connect_timeout=1"})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("%v", err)
	}
}

func TestAnAbandonedDatabaseHoldsUpNobody(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		err := s.View(t.Context(), func(tx *store.Tx) error {
			s.Abandon()
			_, err := tx.Accounts()
			for err == nil { // until the end has got about
				_, err = tx.Accounts()
			}
			return err
		})
		later := s.View(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Accounts()
			for err == nil {
				_, err = tx.Accounts()
			}
			return err
		})
		for _, err := range []error{err, later} {
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "given up") {
				t.Errorf("%v", err)
			}
		}
	})
}

// A node that stops inside a transaction loses it, and with it the rows that it has locked.
func TestPostgreSQLEndsATransactionThatDoesNothing(t *testing.T) {
	url := pgtest.URL(t)
	storetest.Open(t, url)
	s, err := store.Open(t.Context(), store.Config{URL: url + "&idle_in_transaction_session_timeout=200"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := store.Open(t.Context(), store.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		if err := tx.SetSetting("ping", nil); err != nil {
			return err
		}
		return other.Ping(t.Context()) // waits for the lock of the row
	})
	if !fault.Is(err, fault.Unavailable) || strings.Contains(err.Error(), "lock timeout") {
		t.Errorf("the transaction that did nothing: %v", err)
	}
}
