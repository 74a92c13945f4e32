package pocketsphinx

import (
	"math"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// TestWordsBeginWhereTheyAreHeard: a word does not include 200 ms of near silence before 300 ms of a tone. A word
// that is loud from its start, or entirely silent, does not change.
func TestWordsBeginWhereTheyAreHeard(t *testing.T) {
	pcm := &sound.PCM{Rate: rate, Samples: make([]int16, rate)}
	for i := range pcm.Samples {
		amplitude := 20.0
		if i >= rate/5 && i < rate/2 {
			amplitude = 8000
		}
		pcm.Samples[i] = int16(amplitude * math.Sin(float64(i)/5))
	}
	for _, c := range []struct{ start, end, want time.Duration }{
		{0, 500, 200}, {100, 500, 200}, {200, 500, 200}, {300, 400, 300}, {600, 900, 600}, {0, 240, 140},
	} {
		words := onsets([]asr.Word{{Start: c.start * time.Millisecond, End: c.end * time.Millisecond}}, pcm)
		if got := words[0].Start; got != c.want*time.Millisecond || words[0].End != c.end*time.Millisecond {
			t.Errorf("a word from %d to %d ms begins at %v, want %d ms", c.start, c.end, got, c.want)
		}
	}
}
