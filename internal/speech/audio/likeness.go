package audio

import (
	"encoding/binary"
	"math"
)

// likeness compares each channel of a recording with its first one, by energy and correlation over the
// whole length.
type likeness struct {
	energy []float64 // sum of squares, a channel
	cross  []float64 // sum of products with channel 0, a channel
}

func newLikeness(channels int) likeness {
	return likeness{energy: make([]float64, channels), cross: make([]float64, channels)}
}

// add takes whole frames of interleaved samples. Sums of one call stay exact in 64 bits.
func (l *likeness) add(p []byte) {
	n := len(l.energy)
	for c := range n {
		var energy, cross int64
		for i := 0; i+2*n <= len(p); i += 2 * n {
			x := int64(int16(binary.LittleEndian.Uint16(p[i+2*c:])))
			energy += x * x
			cross += x * int64(int16(binary.LittleEndian.Uint16(p[i:])))
		}
		l.energy[c] += float64(energy)
		l.cross[c] += float64(cross)
	}
}

// correlation of a channel with the first one, -1..1; 0 where either is silent.
func (l *likeness) correlation(c int) float64 {
	if product := l.energy[0] * l.energy[c]; product > 0 {
		return l.cross[c] / math.Sqrt(product)
	}
	return 0
}

// The same signal coded twice correlates above .999 (measured on MP3 and AAC at 64 kbit/s); two microphones
// in one room stay below .9. Levels within 6 dB tell a copy from a leak into the other channel.
const (
	same      = 0.999
	sameLevel = 4 // ratio of energies
)

// dualMono reports whether all of two or more channels carry the first one's signal, upright or inverted.
func (l *likeness) dualMono() bool {
	for c := 1; c < len(l.energy); c++ {
		ratio := l.energy[c] / l.energy[0]
		if math.Abs(l.correlation(c)) < same || ratio > sameLevel || ratio < 1.0/sameLevel {
			return false
		}
	}
	return len(l.energy) > 1
}

// inverted tells of each channel whether it is the first one turned upside down, as a wrongly wired line is:
// adding the two would cancel the speech.
func (l *likeness) inverted() []bool {
	inverted := make([]bool, len(l.energy))
	for c := range inverted {
		inverted[c] = l.correlation(c) < -0.5
	}
	return inverted
}
