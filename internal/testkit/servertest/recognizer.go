package servertest

import (
	"context"
	"time"

	"parley/internal/speech/asr"
)

// Metronome hears the word "tick" each half second of any audio.
type Metronome struct{}

// Recognize implements asr.Recognizer.
func (Metronome) Recognize(_ context.Context, r asr.Request) (*asr.Recognition, error) {
	found := &asr.Recognition{}
	for at := time.Duration(0); at+400*time.Millisecond <= r.PCM.Duration(); at += 500 * time.Millisecond {
		found.Words = append(found.Words,
			asr.Word{Text: "tick", Start: at, End: at + 400*time.Millisecond, Confidence: .9})
	}
	return found, nil
}

// Gate is a recogniser that waits until it is opened, and then hears what a Metronome hears.
type Gate struct {
	Entered chan struct{} // gets a value from each request that waits, as far as somebody looks
	opened  chan struct{}
}

// NewGate returns a closed gate.
func NewGate() *Gate { return &Gate{make(chan struct{}), make(chan struct{})} }

// Open lets all requests pass, those to come too.
func (g *Gate) Open() { close(g.opened) }

// Recognize implements asr.Recognizer.
func (g *Gate) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	for entered := g.Entered; ; entered = nil {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-g.opened:
			return Metronome{}.Recognize(ctx, r)
		case entered <- struct{}{}:
		}
	}
}
