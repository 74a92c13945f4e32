package soak

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/verify"
)

// TestKilledReprocessingLeavesOldOrNew kills the server while a recording gets other words, half of them with times,
// half to be aligned: at random times, immediately after the acknowledgement, and as soon as the new words are visible.
// The recording always has the old or the new words, visible new words stay, and acknowledged ones become visible in
// the end.
func TestKilledReprocessingLeavesOldOrNew(t *testing.T) {
	verify.Long(t)
	kills := 3
	if soaking() {
		kills = 100
	}
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	random := rand.New(rand.NewPCG(2, uint64(kills)))
	n := start(t, e, "--data", dir)
	first := call()
	first.Configuration, first.Transcript = "", words(0)
	item, err := n.client(token).Submit(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	await(t, n.client(token), item.MediaID, e)
	news := 0 // kills after the new words became visible
	for round := 1; round <= kills; round++ {
		c := n.client(token)
		transcript, span := words(round), 400*time.Millisecond
		if round%2 == 0 {
			transcript, span = name(round), 4*time.Second
		}
		if _, err := c.Reprocess(t.Context(), item.MediaID, client.Submission{Transcript: transcript}); err != nil {
			t.Fatalf("reprocess: %v\n%s", err, e.tail())
		}
		shown := round%3 == 0
		switch {
		case shown:
			published(t, c, item.MediaID, round, e)
		case round%3 == 1:
			wait(t.Context(), time.Duration(random.Int64N(int64(span))))
		}
		n.kill()
		n = start(t, e, "--data", dir)
		c = n.client(token)
		got := said(t, c, item.MediaID, e)
		if got == name(round) {
			news++
		} else if got != name(round-1) || shown {
			t.Fatalf("after kill %d the recording says %q", round, got)
		}
		if got := strings.TrimSpace(await(t, c, item.MediaID, e)); got != name(round) {
			t.Fatalf("round %d ends with %q\n%s", round, got, e.tail())
		}
	}
	t.Logf("%d kills, %d of them after the new words were published", kills, news)
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "tmp", "*"))
	if len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// published waits until an item has the words of a round.
func published(t *testing.T, c *client.Client, id string, round int, e *events) {
	t.Helper()
	for said(t, c, id, e) != name(round) {
		wait(t.Context(), time.Millisecond)
	}
}

// name returns the one word of a round.
func name(round int) string { return fmt.Sprintf("round-%d", round) }

// words returns the transcript with times of a round.
func words(round int) string {
	return fmt.Sprintf(`{"words":[{"w":%q,"s":100,"e":500}]}`, name(round))
}

// said returns the transcript of an item, whatever its state; there is always one.
func said(t *testing.T, c *client.Client, id string, e *events) string {
	t.Helper()
	text, err := c.Transcript(t.Context(), id, "text")
	if err != nil {
		t.Fatalf("no transcript: %v\n%s", err, e.tail())
	}
	return strings.TrimSpace(string(text))
}
