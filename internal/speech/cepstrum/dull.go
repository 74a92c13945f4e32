package cepstrum

import (
	"math"

	"parley/internal/words/sound"
)

// A line is dull if little is left of the upper telephone band: a hand, a cheap microphone or an old handset has
// attenuated it, and the remainder is mostly coding noise. Predictions trained on ordinary lines mistake that noise
// for speech. During speech, the level of the filters from 2.5 to 3.4 kHz is at most 8 dB below that of the filters
// from 1.3 to 2 kHz on ordinary lines, and 9 dB below on a real dull line (median).
const (
	treble, trebleEnd = 15, 18
	middle, middleEnd = 10, 14
	bright            = -5.0 // dB; not dull at or above
	dull              = -9.0 // dB; entirely dull at or below
	veryDull          = 0.7  // on the scale between them: −7.8 dB
)

// Dull reports whether the telephone line was so dull that predicted filters are no better than the recorded ones.
func (e *Extractor) Dull(pcm *sound.PCM) bool {
	return dullness(e.Narrowed(&Request{PCM: pcm, Shift: Rate / 100, Telephone: true})) >= veryDull
}

// dullness returns the dullness of the line, from 0 to 1. Bands are log powers without prediction.
func dullness(bands []Band) float64 {
	ratio := 10 * math.Log10(power(bands, treble, trebleEnd)/power(bands, middle, middleEnd))
	return min(max((bright-ratio)/(bright-dull), 0), 1)
}

// power returns the mean power of the filters from from to to.
func power(bands []Band, from, to int) float64 {
	sum := 0.0
	for i := range bands {
		for _, x := range bands[i][from:to] {
			sum += math.Exp(x)
		}
	}
	return sum / float64(max(len(bands)*(to-from), 1))
}
