package pocketsphinx_test

import (
	"math"
	"strings"
	"testing"

	"parley/internal/speech/asr"
	"parley/internal/testkit/verify"
	"parley/internal/words/sound"
)

// play generates audio of fading notes in Hz, two per second; 0 is a rest.
func play(fade float64, notes ...float64) *sound.PCM {
	const rate, length = 16000, 8000
	pcm := &sound.PCM{Rate: rate}
	for _, hz := range notes {
		for i := range length {
			at := float64(i) / rate
			x := math.Sin(2*math.Pi*hz*at) + 0.5*math.Sin(4*math.Pi*hz*at) + 0.3*math.Sin(6*math.Pi*hz*at)
			pcm.Samples = append(pcm.Samples, int16(6000*x*math.Exp(-fade*at)))
		}
	}
	return pcm
}

func TestMusicAndTonesAreNoWords(t *testing.T) {
	verify.Long(t)
	r := recognizer(t)
	for name, pcm := range map[string]*sound.PCM{
		"a piano":      play(4, 262, 330, 392, 523, 392, 330, 262, 220, 262, 330, 440, 523, 440, 330, 262, 220),
		"a ringing":    play(0, 440, 440, 440, 440, 0),
		"a busy tone":  play(0, 480, 0, 480, 0, 480, 0, 480, 0, 480, 0, 480, 0),
		"a held chord": play(0.1, 220, 220, 220, 220, 220, 220, 220, 220),
	} {
		if got := heard(t, r, asr.Request{PCM: pcm}); got != "" {
			t.Errorf("%s: heard %q", name, got)
		}
	}
}

func TestDigitsSaidSlowlyAreWords(t *testing.T) {
	verify.Long(t)
	pcm := &sound.PCM{Rate: 16000}
	for _, digit := range []string{"four", "seven", "nine", "three", "two"} {
		pcm.Samples = append(pcm.Samples, say(t, digit).Samples...)
		pcm.Samples = append(pcm.Samples, make([]int16, 16000)...)
	}
	found := heard(t, recognizer(t), asr.Request{PCM: pcm})
	if n := len(strings.Fields(found)); n < 4 || n > 6 {
		t.Errorf("heard %q in %v, want five digits or nearly", found, pcm.Duration())
	}
}
