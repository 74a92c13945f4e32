// Package telephone makes of a good recording what a telephone line would have left of it: the band from 300
// to 3400 Hz, 8000 samples a second, G.711 mu-law. Accuracy on telephone speech is measured with it where
// only good recordings have references, and what is lost is learnt from it.
//
// It adds no noise, echo or lost packets: real lines are worse.
package telephone

import (
	"math"
	"math/bits"

	"parley/internal/words/sound"
)

const (
	source = 16000 // Hz taken
	rate   = 8000  // Hz given
	image  = 3900  // Hz from which on nothing is left when the rate is raised again
	reach  = 128   // samples of the filter on each side
)

// Line is a telephone line: the band that comes through, in Hz.
type Line struct{ Lowest, Highest float64 }

// Usual is the line that the ITU's recommendations describe.
func Usual() Line { return Line{300, 3400} }

// Simulate returns what comes through of a recording of 16,000 samples a second, at 8,000.
func (l Line) Simulate(pcm *sound.PCM) *sound.PCM {
	filter := l.bandPass()
	out := make([]int16, len(pcm.Samples)*rate/source)
	for i := range out {
		middle := i * source / rate
		sum := 0.0
		for k := max(middle-reach, 0); k <= min(middle+reach, len(pcm.Samples)-1); k++ {
			sum += filter[k-middle+reach] * float64(pcm.Samples[k])
		}
		out[i] = muLaw(sum)
	}
	return &sound.PCM{Rate: rate, Samples: out}
}

// bandPass returns the response of a linear-phase filter: the difference of two sinc functions under a Hamming window.
func (l Line) bandPass() []float64 {
	filter := make([]float64, 2*reach+1)
	for i := range filter {
		at := float64(i - reach)
		window := 0.54 + 0.46*math.Cos(math.Pi*at/reach)
		filter[i] = window * (sinc(at, l.Highest) - sinc(at, l.Lowest))
	}
	return filter
}

// sinc is the response at a sample of an ideal low-pass with that edge.
func sinc(at, edge float64) float64 {
	width := 2 * edge / source
	if at == 0 {
		return width
	}
	return math.Sin(math.Pi*width*at) / (math.Pi * at)
}

const (
	bias = 33   // of the code's 14-bit scale
	most = 8158 // magnitude that has a code
)

// muLaw returns a sample as it comes back from its 8-bit code (ITU-T G.711): the middle of one of 16 equal
// steps in one of 8 segments, each twice as wide as the one before.
func muLaw(x float64) int16 {
	magnitude := uint(min(math.Abs(x)/4, most)) + bias
	segment := bits.Len(magnitude) - 6 // 0 to 7
	step := magnitude >> (segment + 1)
	decoded := int((2*step+1)<<segment) - bias
	if x < 0 {
		decoded = -decoded
	}
	return int16(4 * decoded)
}

// Through returns a recording of 16,000 samples a second after the line, at that rate again.
func (l Line) Through(pcm *sound.PCM) *sound.PCM {
	narrow := l.Simulate(pcm)
	filter := Line{0, image}.bandPass()
	out := make([]int16, 2*len(narrow.Samples))
	for i := range out {
		sum := 0.0
		for k := (max(i-reach, 0) + 1) / 2; 2*k <= min(i+reach, len(out)-1); k++ {
			sum += filter[2*k-i+reach] * float64(narrow.Samples[k])
		}
		out[i] = int16(max(min(2*sum, math.MaxInt16), math.MinInt16))
	}
	return &sound.PCM{Rate: source, Samples: out}
}
