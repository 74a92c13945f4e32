package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// pupil is an engine that learns voices: its output names the chunk and the voices that it was given.
type pupil struct {
	mu       sync.Mutex
	requests []asr.Request
	left     int                   // requests until it becomes unavailable; negative: never
	deaf     func(second int) bool // chunks, by second, from which no voice can be learnt
	poison   func(q asr.Request) bool
}

func (p *pupil) Recognize(_ context.Context, q asr.Request) (*asr.Recognition, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		return nil, fault.New(fault.Unavailable, fault.CodeEngineFailed, "away")
	}
	p.left--
	p.requests = append(p.requests, q)
	if p.poison != nil && p.poison(q) {
		return nil, &asr.Poisoned{Cause: errors.New("crash")}
	}
	second := len(q.PCM.Samples) - 16000
	var voices []string
	for _, v := range q.Voices {
		voices = append(voices, string(v))
	}
	r := &asr.Recognition{Words: []asr.Word{{Text: fmt.Sprintf("%d(%s)", second, strings.Join(voices, "+")),
		End: time.Second}}}
	if q.Learn && (p.deaf == nil || !p.deaf(second)) {
		r.Voice = fmt.Appendf(nil, "v%d", second)
	}
	return r, nil
}

// call returns n chunks of ten seconds on each of two alternating channels.
func call(n int) speech {
	s := seconds(0)
	s.apart = true
	for i := range 2 * n {
		start := time.Duration(i) * 10 * time.Second
		s.chunks = append(s.chunks, asr.Chunk{Channel: i % 2,
			Segment: sound.Segment{Start: start, End: start + 10*time.Second}})
	}
	return s
}

func learning(p *pupil) Engine {
	return Engine{Recognizer: p, Info: asr.Info{Engine: "pupil", Version: "1", Parallel: 2, Adapts: true}}
}

func saidOn(h *hearing, channel int) (all []string) {
	for _, w := range h.words[channel] {
		all = append(all, w.Text)
	}
	return all
}

func TestChunksOfACallAreHeardWithTheVoiceOfTheirChannel(t *testing.T) {
	var percents []int
	h, err := recognize(t.Context(), learning(&pupil{left: -1}), call(4), 2, NoArtifacts{}, func(p int) {
		percents = append(percents, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0(v0+v20+v40)", "20(v0+v20+v40)", "40(v0+v20+v40)", "60(v0+v20+v40)"}
	if got := saidOn(h, 0); !slices.Equal(got, want) {
		t.Errorf("heard %v, want %v", got, want)
	}
	if got := saidOn(h, 1); got[3] != "70(v10+v30+v50)" {
		t.Errorf("heard %v", got)
	}
	if !slices.IsSorted(percents) || len(percents) != 14 || percents[13] != 100 {
		t.Errorf("progress %v", percents)
	}
}

func TestAChannelOfWhichNothingIsLearntIsHeardOnce(t *testing.T) {
	p := &pupil{left: -1, deaf: func(second int) bool { return second/10%2 == 1 }}
	var percents []int
	h, err := recognize(t.Context(), learning(p), call(4), 2, NoArtifacts{}, func(p int) {
		percents = append(percents, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := saidOn(h, 1), []string{"10()", "30()", "50()", "70()"}; !slices.Equal(got, want) {
		t.Errorf("heard %v", got)
	}
	if len(p.requests) != 11 || !slices.IsSorted(percents) || percents[len(percents)-1] != 100 {
		t.Errorf("%d requests, progress %v", len(p.requests), percents)
	}
}

func TestNoVoiceIsLearntOfAMixOrOfAnEngineThatDoesNotAdaptOrOfLittleSpeech(t *testing.T) {
	mixed, short, other := call(4), call(1), learning(&pupil{left: -1})
	mixed.apart = false
	other.Info.Adapts = false
	for name, c := range map[string]struct {
		engine Engine
		speech speech
	}{"mix": {learning(&pupil{left: -1}), mixed}, "little speech": {learning(&pupil{left: -1}), short},
		"another engine": {other, call(4)}} {
		if _, err := recognize(t.Context(), c.engine, c.speech, 2, NoArtifacts{}, quiet); err != nil {
			t.Fatal(err)
		}
		requests := c.engine.Recognizer.(*pupil).requests
		if len(requests) != len(c.speech.chunks) {
			t.Errorf("%s: %d requests for %d chunks", name, len(requests), len(c.speech.chunks))
		}
		for _, q := range requests {
			if q.Learn || q.Voices != nil {
				t.Errorf("%s: %+v", name, q)
			}
		}
	}
}

func TestAdaptationInterruptedAnywhereGoesOnAndEndsTheSame(t *testing.T) {
	straight := &pupil{left: -1}
	want, err := recognize(t.Context(), learning(straight), call(4), 2, NoArtifacts{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for each := 1; each < len(straight.requests); each++ {
		kept, asked := &shelf{}, 0
		for tries := 0; ; tries++ {
			p := &pupil{left: each}
			got, err := recognize(t.Context(), learning(p), call(4), 2, kept, quiet)
			asked += len(p.requests)
			if err == nil {
				if !slices.Equal(saidOn(got, 0), saidOn(want, 0)) || !slices.Equal(saidOn(got, 1), saidOn(want, 1)) {
					t.Errorf("away after %d requests each time: %v, want %v", each, got.words, want.words)
				}
				break
			}
			if !fault.Is(err, fault.Unavailable) || tries > len(straight.requests) {
				t.Fatalf("try %d: %v", tries, err)
			}
		}
		if asked != len(straight.requests) {
			t.Errorf("away after %d requests each time: %d in all, without interruption %d", each, asked,
				len(straight.requests))
		}
	}
}

func TestAChunkThatFailsOnlyWithAVoiceStandsAsItWasHeardFirst(t *testing.T) {
	p := &pupil{left: -1, poison: func(q asr.Request) bool { return q.Voices != nil && len(q.PCM.Samples) == 16020 }}
	h, err := recognize(t.Context(), learning(p), call(4), 2, NoArtifacts{}, quiet)
	if err != nil || len(h.warnings) != 0 || saidOn(h, 0)[1] != "20()" {
		t.Errorf("%v, %v", h, err)
	}
}
