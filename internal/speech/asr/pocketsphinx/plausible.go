package pocketsphinx

import (
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// Music and tones are taken for words, too, but not as speech is: the decoder finds few, leaves loud
// stretches without any, or makes one word of seconds. Measured on 230 chunks of speech, whose words hold
// at least 0.67 of the loudness or come at more than 1.2 a second, and on synthetic music.
const (
	longestWord   = 1500 * time.Millisecond
	leastLoudness = 0.67 // share of the chunk's loudness that lies in words
	leastPace     = 1.2  // words a second
)

// plausible returns the words that may be speech: none where the chunk is no speech at all.
func plausible(words []asr.Word, pcm *sound.PCM) []asr.Word {
	var kept []asr.Word
	inside := 0.0
	for _, w := range words {
		if w.End-w.Start <= longestWord {
			kept = append(kept, w)
			inside += loudness(pcm.Slice(sound.Segment{Start: w.Start, End: w.End}))
		}
	}
	pace := float64(len(kept)) / pcm.Duration().Seconds()
	if pace < leastPace && inside < leastLoudness*loudness(pcm) {
		return nil
	}
	return kept
}

// loudness returns the sum of the magnitudes of all samples.
func loudness(pcm *sound.PCM) float64 {
	sum := 0.0
	for _, s := range pcm.Samples {
		sum += max(float64(s), -float64(s))
	}
	return sum
}
