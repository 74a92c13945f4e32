package api

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/call/wire"
	"parley/internal/host/fair"
	vbql "parley/internal/query"
)

// Parsing and rendering wait for a processor of the account, so that a flood of one account's requests does not affect
// other accounts.
func TestParsingAndRenderingTakeAProcessorOfTheirAccount(t *testing.T) {
	for name, do := range map[string]func(ctx context.Context) string{
		"condition": func(ctx context.Context) string {
			_, err := readCondition(ctx, `* SAYS "a" AND titel = "b"`, &vbql.KnownNames{})
			return err.Error()
		},
		"transcript": func(ctx context.Context) string {
			_, err := readGiven(ctx, []byte(`{"words":`))
			return err.Error()
		},
		"metadata": func(ctx context.Context) string {
			_, err := readMetadata(ctx, []byte(`{"title":`))
			return err.Error()
		},
		"answer": func(ctx context.Context) string {
			to := httptest.NewRecorder()
			rec := newPacedResponse(to, time.Minute)
			rec.work = ctx
			writeJSON(rec, 200, wire.Health{Status: "ok"})
			return to.Body.String()
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := fair.NewProcessors(1)
			place, err := p.Take(t.Context(), "busy")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan string, 2)
			go func() { done <- do(fair.With(t.Context(), p, "busy")) }()
			time.Sleep(time.Second) // on the test's fake clock
			if len(done) > 0 {
				t.Errorf("%s takes no processor of its account", name)
			}
			if said := do(fair.With(t.Context(), p, "other")); strings.TrimSpace(said) == "" {
				t.Errorf("%s of another account: %q", name, said)
			}
			place.Give()
			synctest.Wait()
			if said := <-done; strings.TrimSpace(said) == "" {
				t.Errorf("%s: %q", name, said)
			}
		})
	}
}

// TestAnAnswerHasAProcessorWhileItIsMadeAndNoneWhileItIsTaken has a client that occupies the only slot for a second
// whenever it has received a piece.
func TestAnAnswerHasAProcessorWhileItIsMadeAndNoneWhileItIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &busyClient{ResponseRecorder: httptest.NewRecorder(), t: t, processors: fair.NewProcessors(1)}
		rec := newPacedResponse(client, time.Minute)
		rec.work = fair.With(t.Context(), client.processors, "busy")
		writeJSON(rec, 200, slices.Repeat([]string{strings.Repeat("x", 999)}, 300))
		if client.got < 3 {
			t.Errorf("%d pieces", client.got)
		}
		synctest.Wait()
	})
}

type busyClient struct {
	*httptest.ResponseRecorder
	t          *testing.T
	processors *fair.Processors
	got        int
	busy       atomic.Bool
}

// Write implements http.ResponseWriter.
func (c *busyClient) Write(b []byte) (int, error) {
	if c.busy.Load() {
		c.t.Error("a piece was made without a place")
	}
	if len(b) < answerStep { // the end of a piece
		ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
		defer cancel()
		place, err := c.processors.Take(ctx, "busy")
		if err != nil {
			c.t.Error("a place is held while the client takes a piece")
			return 0, err
		}
		c.got++
		c.busy.Store(true)
		time.AfterFunc(time.Second, func() {
			c.busy.Store(false)
			place.Give()
		})
	}
	return c.ResponseRecorder.Write(b)
}
