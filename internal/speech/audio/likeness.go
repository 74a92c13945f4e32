package audio

import (
	"encoding/binary"
	"math"
)

// likeness compares each channel of a recording with the first one, by energy and correlation over the whole length.
type likeness struct {
	energy []float64 // sum of squares, per channel
	cross  []float64 // sum of products with channel 0, per channel
}

func newLikeness(channels int) likeness {
	return likeness{energy: make([]float64, channels), cross: make([]float64, channels)}
}

// add processes whole frames of interleaved samples. The sums of one call are exact in 64 bits.
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

// correlation returns the correlation of a channel with the first one, -1..1; 0 if either is silent.
func (l *likeness) correlation(c int) float64 {
	if product := l.energy[0] * l.energy[c]; product > 0 {
		return l.cross[c] / math.Sqrt(product)
	}
	return 0
}

// The same signal encoded twice correlates above .999 (measured on MP3 and AAC at 64 kbit/s); two microphones in one
// room stay below .9. A level difference within 6 dB separates a copy from crosstalk.
const (
	same      = 0.999
	sameLevel = 4 // ratio of energies
)

// dualMono reports whether there are several channels and all have the first one's signal, possibly inverted.
func (l *likeness) dualMono() bool {
	for c := 1; c < len(l.energy); c++ {
		ratio := l.energy[c] / l.energy[0]
		if math.Abs(l.correlation(c)) < same || ratio > sameLevel || ratio < 1.0/sameLevel {
			return false
		}
	}
	return len(l.energy) > 1
}

// inverted reports for each channel whether it is an inverted copy of the first one, as on a miswired line. Adding
// the two would cancel the speech.
func (l *likeness) inverted() []bool {
	inverted := make([]bool, len(l.energy))
	for c := range inverted {
		inverted[c] = l.correlation(c) < -0.5
	}
	return inverted
}
