package asrtest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/testkit/asrtest"
	"parley/internal/words/sound"
)

func TestFakeHoldsTheContract(t *testing.T) {
	asrtest.Run(t, asrtest.NewFake(), 15*time.Second, nil)
}

func TestFakeAnswersItsStepsInOrderAndRemembersRequests(t *testing.T) {
	failure := errors.New("x")
	f := asrtest.NewFake(asrtest.Step{Words: []asr.Word{{Text: "a"}}}, asrtest.Step{Err: failure})
	q := asr.Request{PCM: &sound.PCM{Rate: 16000}, Language: "en-US"}
	first, err := f.Recognize(context.Background(), q)
	if err != nil || len(first.Words) != 1 {
		t.Errorf("first answer %v, %v", first, err)
	}
	if _, err := f.Recognize(context.Background(), q); !errors.Is(err, failure) {
		t.Errorf("second answer %v", err)
	}
	if n := len(f.Requests()); n != 2 {
		t.Errorf("%d requests remembered", n)
	}
}

func TestFakeWaitsUntilToldOrCancelled(t *testing.T) {
	f := asrtest.NewFake(asrtest.Step{Wait: make(chan struct{})})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := f.Recognize(ctx, asr.Request{})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
