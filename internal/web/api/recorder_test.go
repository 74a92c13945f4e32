package api

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/audit"
)

func lines(t *testing.T, s *store.Store, a account.ID) (n int) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) error {
		found, err := tx.Events(a, audit.Filter{Limit: 1 << 20})
		n = len(found)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func event(a account.ID) audit.Event {
	return audit.Event{ID: audit.NewID(), Account: a, Action: audit.Read, Object: "media", Reference: "reference"}
}

func TestRecorderWritesEverythingBeforeItEnds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		c := NewAuditRecorder(s, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(t.Context())
		var running, adding sync.WaitGroup
		running.Go(func() { c.Run(ctx) })
		for range 8 {
			adding.Go(func() {
				for range 400 {
					c.Add(t.Context(), event(a.ID))
				}
			})
		}
		adding.Wait()
		cancel()
		running.Wait()
		if n := lines(t, s, a.ID); n != 3200 {
			t.Errorf("%d lines are there", n)
		}
	})
}

func TestRecorderKeepsWhatCouldNotBeWritten(t *testing.T) {
	s := storetest.SQLite(t)
	a := storetest.Account(t, s, "a")
	c := NewAuditRecorder(s, slog.New(slog.DiscardHandler))
	first := event(a.ID)
	c.Add(t.Context(), first)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Flush(gone); err == nil {
		t.Fatal("written without time to do so")
	}
	c.Add(t.Context(), event(a.ID))
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := lines(t, s, a.ID); n != 2 {
		t.Errorf("%d lines are there", n)
	}
}

// The answer to a commit can be lost: the recorder writes the events again, with others.
func TestEventsThatWereWrittenAlreadyAreNotInTheWayOfOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		written, other := event(a.ID), event(a.ID)
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.AddEvents(written) })
		c := NewAuditRecorder(s, slog.New(slog.DiscardHandler))
		c.Add(t.Context(), written)
		c.Add(t.Context(), other)
		if err := c.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		if n := lines(t, s, a.ID); n != 2 {
			t.Errorf("%d lines are there", n)
		}
	})
}

func TestEventsOfARecorderWhoseDatabaseIsAwayAtTheEndAreInTheLog(t *testing.T) {
	s := storetest.SQLite(t)
	a := storetest.Account(t, s, "a")
	var log bytes.Buffer
	c := NewAuditRecorder(s, slog.New(slog.NewTextHandler(&log, nil)))
	c.Add(t.Context(), event(a.ID))
	s.Abandon()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c.Run(ended)
	if text := log.String(); !strings.Contains(text, "audit event lost") || !strings.Contains(text, string(a.ID)) {
		t.Errorf("%s", text)
	}
}

func TestRequestsWaitForAFullRecorderAndGiveUpIntoTheLog(t *testing.T) {
	s := storetest.SQLite(t)
	a := storetest.Account(t, s, "a")
	var book bytes.Buffer
	c := NewAuditRecorder(s, slog.New(slog.NewTextHandler(&book, nil)))
	for range mostWaiting {
		c.Add(t.Context(), event(a.ID))
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	c.Add(gone, event(a.ID))
	if text := book.String(); strings.Count(text, "reference=reference") != 1 {
		t.Errorf("the log says %q", text)
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { c.Add(t.Context(), event(a.ID)) })
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	waiting.Wait()
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := lines(t, s, a.ID); n != mostWaiting+1 {
		t.Errorf("%d lines are there", n)
	}
}

// BenchmarkRecorder records reads like requests do, with a recorder running.
func BenchmarkRecorder(b *testing.B) {
	s := storetest.SQLite(b)
	var a account.Account
	storetest.Update(b, s, func(tx *store.Tx) (err error) { a, err = tx.CreateAccount("a"); return err })
	c := NewAuditRecorder(s, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	line := event(a.ID)
	i := 0
	for b.Loop() {
		line.ID, line.Reference = audit.NewID(), fmt.Sprint(i)
		c.Add(b.Context(), line)
		i++
	}
	cancel()
	running.Wait()
}
