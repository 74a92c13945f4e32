package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/cmd/parley-sherpa/internal/toy"
	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

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
		spread(words, c.stretches)
		var got []string
		for _, w := range words {
			got = append(got, fmt.Sprintf("%d-%d", w.Start.Milliseconds(), w.End.Milliseconds()))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q in %v: %s, want %s", c.words, c.stretches, s, c.want)
		}
	}
}

func TestSpeechIsTheWholeAudioWhereNoneIsFound(t *testing.T) {
	silence := toy.Say(2 * time.Second)
	if got := speech(asr.Request{PCM: silence}); len(got) != 1 || got[0].Start != 0 || got[0].End != 2*time.Second {
		t.Errorf("got %v", got)
	}
	loud := toy.Say(3*time.Second, toy.Tone{Piece: "▁tones", Start: time.Second, End: 2 * time.Second})
	if got := speech(asr.Request{PCM: loud}); len(got) != 1 || (got[0].Start-time.Second).Abs() > 200*ms ||
		(got[0].End-2*time.Second).Abs() > 300*ms {
		t.Errorf("got %v", got)
	}
}
