// Package soak kills real servers and checks that nothing is lost. The tests are short unless PARLEY_SOAK is set.
package soak

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/verify"
)

const engineProcesses = 2

// TestKilledServersLoseNothing kills the server at random times between the acknowledgement and the end of processing
// of recordings of half a minute. After a restart every acknowledged recording finishes with the same words, the result
// of each chunk is recorded once, and a kill costs at most one chunk per child process.
func TestKilledServersLoseNothing(t *testing.T) {
	verify.Long(t)
	kills, span := 3, 6*time.Second
	if soaking() {
		kills = 200
	}
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	random := rand.New(rand.NewPCG(1, uint64(kills)))
	var ids []string
	running := "" // the item in progress, "" when the last one has finished
	for kill := range kills {
		n := start(t, e, "--data", dir)
		c := n.client(token)
		if running != "" && finished(t.Context(), c, running) {
			running = ""
		}
		if running == "" {
			item, err := c.Submit(t.Context(), brief(t))
			if err != nil {
				t.Fatalf("submit: %v\n%s", err, e.tail())
			}
			running = item.MediaID
			ids = append(ids, running)
		}
		if kill%10 == 9 { // so that a slow machine also makes progress between kills
			before := e.total()
			if !eventually(t.Context(), func() bool {
				return e.total() > before || finished(t.Context(), c, running)
			}) {
				t.Fatalf("nothing is recognised any more\n%s", e.tail())
			}
		}
		wait(t.Context(), time.Duration(random.Int64N(int64(span))))
		n.kill()
		if !eventually(t.Context(), func() bool { return len(processes(t)) == 0 }) {
			t.Fatalf("processes outlive the killed server: %v", processes(t))
		}
	}
	n := start(t, e, "--data", dir)
	reference := await(t, n.client(token), ids[0], e)
	for _, id := range ids[1:] {
		if text := await(t, n.client(token), id, e); text != reference {
			t.Errorf("media %s has another transcript:\n%s", id, text)
		}
	}
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	if twice := e.keptTwice(); len(twice) > 0 {
		t.Errorf("recorded more than once: %v", twice)
	}
	if redone := e.redone(); redone > kills*engineProcesses {
		t.Errorf("%d kills cost %d chunks, more than one a child", kills, redone)
	}
	t.Logf("%d kills, %d recordings, %d chunks, %d begun again", kills, len(ids), len(e.kept), e.redone())
	left, _ := filepath.Glob(filepath.Join(dir, "tmp", "*"))
	if len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func finished(ctx context.Context, c *client.Client, id string) bool {
	item, err := c.Item(ctx, id)
	return err == nil && item.Status == "finished"
}

// TestSIGTERMGivesWorkBackWithoutLoss stops a busy server and starts it again. The chunks that are under way may take
// as long as they need on a busy machine.
func TestSIGTERMGivesWorkBackWithoutLoss(t *testing.T) {
	verify.Long(t)
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	n := start(t, e, "--data", dir, "--drain-timeout", "10m")
	item, err := n.client(token).Submit(t.Context(), brief(t))
	if err != nil {
		t.Fatal(err)
	}
	if !eventually(t.Context(), func() bool { return e.count(item.MediaID) > 0 }) {
		t.Fatal("no chunk was recognised")
	}
	if err := n.stop(); err != nil {
		t.Fatal(err)
	}
	if left := processes(t); len(left) > 0 {
		t.Errorf("processes outlive the stopped server: %v", left)
	}
	if redone := e.redone(); redone != 0 {
		t.Errorf("%d chunks were begun twice before the restart", redone)
	}
	n = start(t, e, "--data", dir)
	await(t, n.client(token), item.MediaID, e)
	if redone := e.redone(); redone != 0 {
		t.Errorf("draining lost %d chunks that were under way", redone)
	}
}

// wait waits for a duration that is part of the test: until the next kill.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// count returns the number of recognised chunks of an item.
func (e *events) count(id string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for name := range e.kept {
		if len(name) > len(id) && name[:len(id)] == id {
			n++
		}
	}
	return n
}
