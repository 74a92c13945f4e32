package asrtest

import (
	"context"
	"sync"

	"parley/internal/speech/asr"
)

// Step is one scripted answer of a Fake.
type Step struct {
	Words    []asr.Word
	Warnings []string
	Err      error
	Wait     <-chan struct{} // nil: answer immediately; otherwise answer when it is closed or the context ends
}

// Fake is a scripted asr.Recognizer: it answers requests with its steps, in order, and with no words after the last
// step. It is safe for concurrent use.
type Fake struct {
	mu       sync.Mutex
	steps    []Step
	requests []asr.Request
}

// NewFake returns a Fake that will answer with steps.
func NewFake(steps ...Step) *Fake { return &Fake{steps: steps} }

// Recognize implements asr.Recognizer.
func (f *Fake) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	step := f.next(r)
	if step.Wait != nil {
		select {
		case <-ctx.Done():
		case <-step.Wait:
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if step.Err != nil {
		return nil, step.Err
	}
	return &asr.Recognition{Words: step.Words, Warnings: step.Warnings}, nil
}

func (f *Fake) next(r asr.Request) Step {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r)
	if len(f.steps) == 0 {
		return Step{}
	}
	step := f.steps[0]
	f.steps = f.steps[1:]
	return step
}

// Requests returns the requests so far, in order of arrival.
func (f *Fake) Requests() []asr.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]asr.Request(nil), f.requests...)
}
