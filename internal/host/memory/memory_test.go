package memory_test

import (
	"context"
	"errors"
	"testing"

	"parley/internal/host/memory"
)

// tally is a meter that refuses more than 100 bytes.
type tally int64

var errFull = errors.New("full")

func (t *tally) Take(bytes int64) error {
	if *t+tally(bytes) > 100 {
		return errFull
	}
	*t += tally(bytes)
	return nil
}

func (t *tally) Give(bytes int64) { *t -= tally(bytes) }

func TestAPartGivesBackWhatWasTakenUnderIt(t *testing.T) {
	var held tally
	ctx := memory.With(t.Context(), &held)
	if err := memory.Take(ctx, 20); err != nil {
		t.Fatal(err)
	}
	part, end := memory.Part(ctx)
	for _, c := range []struct {
		bytes int64
		want  error
	}{{50, nil}, {31, errFull}, {30, nil}} {
		if err := memory.Take(part, c.bytes); err != c.want {
			t.Errorf("%d bytes: %v", c.bytes, err)
		}
	}
	memory.Give(part, 10)
	if held != 90 {
		t.Errorf("%d are held", held)
	}
	end()
	end()
	if held != 20 {
		t.Errorf("%d stay", held)
	}
}

func TestWorkThatAsksForMemoryEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := memory.Take(ctx, 1<<60); err != nil {
		t.Errorf("work that nobody counts: %v", err)
	}
	gone := errors.New("gone")
	cancel(gone)
	if err := memory.Take(ctx, 0); err != gone {
		t.Errorf("after the end: %v", err)
	}
}
