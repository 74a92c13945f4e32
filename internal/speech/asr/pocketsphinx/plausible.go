package pocketsphinx

import (
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// The decoder also finds words in music and tones, but fewer: it leaves loud stretches without words, or makes one
// word last seconds. Measured on synthetic music and on 230 chunks of speech, in which words contain at least 0.67 of
// the loudness or occur at more than 1.2 per second.
const (
	longestWord   = 1500 * time.Millisecond
	leastLoudness = 0.67 // minimum share of the chunk's loudness within words
	leastPace     = 1.2  // minimum words per second
)

// plausible returns the words, or none if the chunk is not speech.
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
