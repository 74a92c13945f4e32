package servertest

import (
	"context"
	"time"

	"parley/internal/speech/asr"
)

// Metronome recognises the word "tick" every half second in any audio.
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

// Gate is a recogniser that waits until it is opened, and then returns what a Metronome returns.
type Gate struct {
	Entered chan struct{} // receives a value from each waiting request, if there is a receiver
	opened  chan struct{}
}

// NewGate returns a closed gate.
func NewGate() *Gate { return &Gate{make(chan struct{}), make(chan struct{})} }

// Open lets all current and future requests pass.
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
