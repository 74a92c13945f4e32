// Package asrtest has a test suite for the contract of recognisers, and a scripted fake.
//
// It does not measure the quality of recognition; package eval does.
package asrtest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

const rate = 16000

// Run tests a recogniser against the contract of asr.Recognizer. longest is its MaxChunk; speech is a few seconds of 16
// kHz speech in which it must recognise at least one word, or nil for an engine that needs none.
func Run(t *testing.T, recognizer asr.Recognizer, longest time.Duration, speech *sound.PCM) {
	for name, pcm := range sounds(longest) {
		t.Run("holds its contract on "+name, func(t *testing.T) { hear(t, recognizer, pcm) })
	}
	t.Run("refuses a finished context", func(t *testing.T) { refusesFinished(t, recognizer) })
	t.Run("stops when cancelled and works on", func(t *testing.T) { stops(t, recognizer, longest) })
	if speech == nil {
		return
	}
	t.Run("hears speech", func(t *testing.T) {
		if len(hear(t, recognizer, speech).Words) == 0 {
			t.Error("no word heard in speech")
		}
	})
	t.Run("answers the same to concurrent calls", func(t *testing.T) { agrees(t, recognizer, speech) })
}

func sounds(longest time.Duration) map[string]*sound.PCM {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(samples, loud int) *sound.PCM {
		pcm := &sound.PCM{Rate: rate, Samples: make([]int16, samples)}
		for i := range pcm.Samples {
			pcm.Samples[i] = int16(random.IntN(2*loud+1) - loud)
		}
		return pcm
	}
	return map[string]*sound.PCM{
		"no audio":            {Rate: rate},
		"one sample":          {Rate: rate, Samples: []int16{1}},
		"ten milliseconds":    noise(rate/100, 1000),
		"a tenth of a second": noise(rate/10, 1000),
		"digital silence":     {Rate: rate, Samples: make([]int16, 2*rate)},
		"full-scale noise":    noise(2*rate, math.MaxInt16),
		"the longest chunk":   noise(int(longest.Seconds()*rate), 300),
	}
}

// hear recognises audio and checks the invariants of every result.
func hear(t *testing.T, recognizer asr.Recognizer, pcm *sound.PCM) *asr.Recognition {
	t.Helper()
	before := append([]int16(nil), pcm.Samples...)
	found, err := recognizer.Recognize(context.Background(), asr.Request{PCM: pcm, Language: "en-US"})
	if err != nil {
		t.Fatalf("Recognize: %v", err)
	}
	if len(before) > 0 && !reflect.DeepEqual(before, pcm.Samples) {
		t.Error("the audio was changed")
	}
	var last time.Duration
	for i, w := range found.Words {
		if w.Text == "" || w.Start < last || w.End < w.Start || w.End > pcm.Duration() {
			t.Errorf("word %d %+v: empty, out of order or outside of %v", i, w, pcm.Duration())
		}
		if !(w.Confidence >= 0 && w.Confidence <= 1) {
			t.Errorf("word %d: confidence %v", i, w.Confidence)
		}
		last = w.Start
	}
	return found
}

func refusesFinished(t *testing.T, recognizer asr.Recognizer) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pcm := &sound.PCM{Rate: rate, Samples: make([]int16, rate)}
	if _, err := recognizer.Recognize(ctx, asr.Request{PCM: pcm}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// stops cancels running and waiting calls, and then checks that new ones work.
func stops(t *testing.T, recognizer asr.Recognizer, longest time.Duration) {
	pcm := sounds(longest)["the longest chunk"]
	ctx, cancel := context.WithCancel(context.Background())
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			if _, err := recognizer.Recognize(ctx, asr.Request{PCM: pcm}); err != nil &&
				!errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want context.Canceled or an answer", err)
			}
		})
	}
	cancel()
	calls.Wait()
	hear(t, recognizer, sounds(longest)["digital silence"])
}

// agrees recognises the same speech from several goroutines: results must depend on the request only.
func agrees(t *testing.T, recognizer asr.Recognizer, speech *sound.PCM) {
	want := hear(t, recognizer, speech)
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			got, err := recognizer.Recognize(context.Background(), asr.Request{PCM: speech, Language: "en-US"})
			if err != nil {
				t.Errorf("Recognize: %v", err)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("heard %v, before %v", got, want)
			}
		})
	}
	calls.Wait()
}
