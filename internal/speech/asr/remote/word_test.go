package remote

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

func TestBareIsTheSpokenWord(t *testing.T) {
	for written, want := range map[string]string{
		"Hello,": "hello", " don't ": "don't", "“Yes!”": "yes", "$138.65": "$138.65", "50%.": "50%", "(650)": "650",
		"e-mail": "e-mail",
		"…":      "", ",": "", "—": "", "&": "&", "¿Qué?": "qué", "": "", "'": "",
	} {
		if got := Bare(written); got != want {
			t.Errorf("Bare(%q) = %q, want %q", written, got, want)
		}
	}
}

func TestSettleKeepsWordsInsideAndInOrder(t *testing.T) {
	got := Settle([]asr.Word{
		{Text: "a", Start: -time.Second, End: time.Second, Confidence: 2},
		{Text: "", Start: 0, End: time.Second},
		{Text: "b", Start: 500 * time.Millisecond, End: 100 * time.Millisecond, Confidence: math.NaN()},
		{Text: "c", Start: 400 * time.Millisecond, End: 3 * time.Second, Confidence: -1},
		{Text: "d", Start: time.Hour, End: 2 * time.Hour, Confidence: 0.5},
	}, 2*time.Second)
	want := []asr.Word{
		{Text: "a", Start: 0, End: time.Second, Confidence: 1},
		{Text: "b", Start: 500 * time.Millisecond, End: 500 * time.Millisecond, Confidence: Unknown},
		{Text: "c", Start: 500 * time.Millisecond, End: 2 * time.Second, Confidence: 0},
		{Text: "d", Start: 2 * time.Second, End: 2 * time.Second, Confidence: 0.5},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSpreadGivesWordsTimesByTheirLetters(t *testing.T) {
	words := []asr.Word{{Text: "ab"}, {Text: "cdé"}, {Text: "fghij"}}
	Spread(words, sound.Segment{Start: time.Second, End: 11 * time.Second})
	for i, want := range []time.Duration{1, 3, 6} {
		if words[i].Start != want*time.Second {
			t.Errorf("word %d starts at %v, want %v", i, words[i].Start, want*time.Second)
		}
	}
	if words[2].End != 11*time.Second {
		t.Errorf("the last word ends at %v", words[2].End)
	}
}

func TestSecondsAreTimesOfARecording(t *testing.T) {
	for s, want := range map[float64]time.Duration{-0.01: 0, 1.2345678: 1234568 * time.Microsecond,
		1e300: 24 * time.Hour, math.Inf(1): 24 * time.Hour} {
		if got := Seconds(s); got != want {
			t.Errorf("Seconds(%v) = %v, want %v", s, got, want)
		}
	}
}

func TestWAVIsPaddedWithSilence(t *testing.T) {
	pcm := &sound.PCM{Rate: 16000, Samples: []int16{1, -2}}
	data := WAV(pcm, 10*time.Millisecond)
	if len(data) != 44+2*160 || string(data[:4]) != "RIFF" || string(data[44:50]) != "\x01\x00\xfe\xff\x00\x00" {
		t.Errorf("%d bytes, beginning %q", len(data), data[:min(len(data), 50)])
	}
	if len(WAV(pcm, 0)) != 44+4 {
		t.Error("audio that is long enough was changed")
	}
}

func TestWordsWithoutTimesAreSpreadOverSpeech(t *testing.T) {
	second := func(from, to float64) sound.Segment {
		return sound.Segment{Start: time.Duration(from * 1e9), End: time.Duration(to * 1e9)}
	}
	for _, c := range []struct {
		words     string
		stretches []sound.Segment
		want      string
	}{
		{"ab abcd", []sound.Segment{second(0, 6)}, "0-2000 2000-6000"},
		{"ab ab abcd", []sound.Segment{second(1, 3), second(5, 7)}, "1000-2000 2000-3000 5000-7000"},
		// the second word would span the pause
		{"abc abc ab", []sound.Segment{second(1, 3), second(5, 7)}, "1000-2500 5000-6000 6000-7000"},
		{"ab", []sound.Segment{second(0, 1), second(2, 3), second(4, 5)}, "2000-3000"},
		{"", []sound.Segment{second(0, 1)}, ""},
	} {
		var words []asr.Word
		for _, text := range strings.Fields(c.words) {
			words = append(words, asr.Word{Text: text})
		}
		Spread(words, c.stretches...)
		var got []string
		for _, w := range words {
			got = append(got, fmt.Sprintf("%d-%d", w.Start.Milliseconds(), w.End.Milliseconds()))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q in %v: %s, want %s", c.words, c.stretches, s, c.want)
		}
	}
}
