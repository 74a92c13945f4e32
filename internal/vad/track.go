package vad

import (
	"math"
	"slices"
	"time"

	"parley/internal/sound"
)

const (
	hop       = 10 * time.Millisecond
	near      = 5   // frames of the level that is compared with the threshold
	wide      = 20  // frames of the level that is compared with other channels
	quietest  = -70 // dB of full scale; lower levels are all the same silence
	full      = 1 << 15
	crossTalk = 6    // dB by which another channel may be louder
	emphasis  = 0.96 // coefficient of the high-pass that takes hum and offset away (about 100 Hz at 16 kHz)
)

// track is one channel's level over time, one value every hop, in dB of full scale.
type track struct {
	near, wide []float32
	length     time.Duration
}

// measure returns the levels of a channel after a high-pass. A last incomplete frame counts as one.
func measure(pcm *sound.PCM) track {
	n := max(int(int64(pcm.Rate)*int64(hop)/int64(time.Second)), 1)
	sums := make([]float64, 1, len(pcm.Samples)/n+2) // running sum of the frames' mean power
	before, high := 0.0, 0.0
	for frame := range slices.Chunk(pcm.Samples, n) {
		power := 0.0
		for _, s := range frame {
			x := float64(s) / full
			before, high = x, x-before+emphasis*high
			power += high * high
		}
		sums = append(sums, sums[len(sums)-1]+power/float64(len(frame)))
	}
	return track{near: levels(sums, near), wide: levels(sums, wide), length: pcm.Duration()}
}

// levels averages power over width frames around each frame.
func levels(sums []float64, width int) []float32 {
	out := make([]float32, len(sums)-1)
	for i := range out {
		from, to := max(i-width/2, 0), min(i+(width+1)/2, len(out))
		mean := max(sums[to]-sums[from], 0) / float64(to-from)
		out[i] = float32(max(10*math.Log10(mean), quietest))
	}
	return out
}

// gate clears the marks where another channel is louder: its voice has leaked into this one.
func (t *track) gate(marks []bool, other *track) {
	for i := range min(len(marks), len(other.wide)) {
		if t.wide[i] < other.wide[i]-crossTalk {
			marks[i] = false
		}
	}
}
