// Package telephone simulates a telephone line on a clean recording: the band from 300 to 3400 Hz, 8000 samples per
// second, G.711 mu-law. It serves to measure accuracy on telephone speech where only clean recordings have references,
// and to train models on the distortion.
//
// It adds no noise, echo or lost packets, so real lines are worse.
package telephone

import (
	"math"
	"math/bits"

	"parley/internal/words/sound"
)

const (
	source = 16000 // Hz, input rate
	rate   = 8000  // Hz, output rate
	image  = 3900  // Hz above which nothing remains after upsampling
	reach  = 128   // samples on each side of the filter's centre
)

// Line is a telephone line with its pass band in Hz.
type Line struct{ Lowest, Highest float64 }

// Usual returns the line of the ITU's recommendations.
func Usual() Line { return Line{300, 3400} }

// Simulate returns a recording of 16,000 samples per second after the line, at 8,000.
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

// bandPass returns the impulse response of a linear-phase filter: the difference of two sinc functions with a Hamming
// window.
func (l Line) bandPass() []float64 {
	filter := make([]float64, 2*reach+1)
	for i := range filter {
		at := float64(i - reach)
		window := 0.54 + 0.46*math.Cos(math.Pi*at/reach)
		filter[i] = window * (sinc(at, l.Highest) - sinc(at, l.Lowest))
	}
	return filter
}

// sinc returns a sample of the impulse response of an ideal low-pass filter with this cutoff.
func sinc(at, edge float64) float64 {
	width := 2 * edge / source
	if at == 0 {
		return width
	}
	return math.Sin(math.Pi*width*at) / (math.Pi * at)
}

const (
	bias = 33   // on the code's 14-bit scale
	most = 8158 // largest magnitude with a code
)

// muLaw returns a sample after encoding and decoding in 8 bits (ITU-T G.711): the middle of one of 16 equal steps in
// one of 8 segments, each twice as wide as the one before.
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

// Through returns a recording of 16,000 samples per second after the line, at the same rate.
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
