package api_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// inOrder returns the names of items in the order in which they finished.
func inOrder(t *testing.T, s *servertest.Server, names map[string]string) string {
	t.Helper()
	finished := map[string]time.Time{}
	err := s.Server.Store.View(t.Context(), func(tx *store.Tx) error {
		for id := range names {
			m, err := tx.MediaByID(media.ID(id))
			if err != nil {
				return err
			}
			finished[id] = m.Finished
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for id := range names {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return finished[a].Compare(finished[b]) })
	for i, id := range ids {
		ids[i] = names[id]
	}
	return strings.Join(ids, " ")
}

func TestAFullQueueIsDoneByPriorityAndInTurns(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) { c.Workers = 1 }})
	firm := s.As(t, "firm", account.AllScopes...)
	again := s.Submit(t, recording, servertest.Field("transcript", timedWords))
	s.Await(t, again)
	names := map[string]string{s.Submit(t, recording): "first"}
	<-gate.Entered // it occupies the account's only worker while the queue fills
	put := func(c *servertest.Client, name, priority string) {
		names[c.Submit(t, recording, configured(`{"priority":"`+priority+`"}`))] = name
	}
	put(s.Client, "low", "low")
	put(s.Client, "normal", "normal")
	put(firm, "theirs1", "low") // starts immediately
	<-gate.Entered
	put(s.Client, "high1", "High")
	put(firm, "theirs2", "low")
	put(s.Client, "high2", "high")
	ok(t, reprocess(t, s.Client, again, configured(`{"priority":"high"}`)))
	names[again] = "again"
	queue := ok(t, s.Get(t, "/v3/queue")).JSON(t)
	if want := map[string]any{"high": 3.0, "normal": 1.0, "low": 2.0}; !equal(t, queue["waiting"], want) ||
		at(t, queue, "running", "normal") != 1.0 {
		t.Errorf("%v, want %v waiting", queue, want)
	}
	gate.Open()
	s.Idle(t)
	var ours, theirs []string
	for _, name := range strings.Fields(inOrder(t, s, names)) {
		if strings.HasPrefix(name, "theirs") {
			theirs = append(theirs, name)
		} else {
			ours = append(ours, name)
		}
	}
	if got, want := strings.Join(ours, " "), "first high1 high2 again normal low"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := strings.Join(theirs, " "), "theirs1 theirs2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// However many calls of one account are being processed, there is a worker for a call of another one.
func TestACallOfAnotherAccountFindsAWorkerFree(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2} {
		gate := servertest.NewGate()
		s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) {
			c.Workers = workers
		}})
		var last string
		for range workers + 2 {
			last = s.Submit(t, recording)
		}
		for range workers {
			<-gate.Entered
		}
		firm := s.As(t, "firm", account.AllScopes...)
		firm.Await(t, firm.Submit(t, recording, servertest.Field("transcript", timedWords)))
		if status := ok(t, s.Get(t, "/v3/media/"+last)).JSON(t)["status"]; status != "scheduled" {
			t.Errorf("with %d workers one account has more: the last is %v", workers, status)
		}
		gate.Open()
		s.Await(t, last)
	}
}

func TestAnAccountHasNoMoreAtOnceThanTheOperatorAllows(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) {
		c.Workers, c.PerAccount = 2, 1
	}})
	s.Submit(t, recording)
	<-gate.Entered
	second := s.Submit(t, recording)
	theirs := s.As(t, "firm", account.AllScopes...)
	newcomer := theirs.Submit(t, recording)
	<-gate.Entered
	if status := ok(t, theirs.Get(t, "/v3/media/"+newcomer)).JSON(t)["status"]; status != "running" {
		t.Errorf("the newcomer is %v", status)
	}
	if status := ok(t, s.Get(t, "/v3/media/"+second)).JSON(t)["status"]; status != "scheduled" {
		t.Errorf("the second of one account is %v", status)
	}
	gate.Open()
	s.Await(t, second)
}
