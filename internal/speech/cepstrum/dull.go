package cepstrum

import (
	"math"

	"parley/internal/words/sound"
)

// A line is dull where little is left of the upper telephone band: a hand, a cheap microphone or an old handset has
// taken it away, and what remains there is mostly the noise of the line's code. Predictions for usual lines take that
// noise for speech. Over stretches of speech the filters from 2.5 to 3.4 kHz have at most 8 dB less than those from 1.3
// to 2 kHz on usual lines, and on the real dull one 9 dB less (median).
const (
	treble, trebleEnd = 15, 18
	middle, middleEnd = 10, 14
	bright            = -5.0 // dB; of as much or more nothing is dull
	dull              = -9.0 // dB; of as much or less all is
	veryDull          = 0.7  // of what is between: −7.8 dB
)

// Dull reports whether speech came through a telephone line so dull that what is predicted is no better than what is
// heard.
func (e *Extractor) Dull(pcm *sound.PCM) bool {
	return dullness(e.Narrowed(&Request{PCM: pcm, Shift: Rate / 100, Telephone: true})) >= veryDull
}

// dullness returns from 0 to 1 how dull the line is that speech came through. Bands are log powers as heard.
func dullness(bands []Band) float64 {
	ratio := 10 * math.Log10(power(bands, treble, trebleEnd)/power(bands, middle, middleEnd))
	return min(max((bright-ratio)/(bright-dull), 0), 1)
}

// power returns the mean power of some filters.
func power(bands []Band, from, to int) float64 {
	sum := 0.0
	for i := range bands {
		for _, x := range bands[i][from:to] {
			sum += math.Exp(x)
		}
	}
	return sum / float64(max(len(bands)*(to-from), 1))
}
