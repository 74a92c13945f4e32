package vad

import (
	"math"
	"slices"
	"time"

	"parley/internal/words/sound"
)

const (
	hop      = 10 * time.Millisecond
	full     = 1 << 15 // full scale
	quietest = -70     // dB of full scale; lower levels are treated as equal silence
	emphasis = 0.96    // coefficient of the high-pass that removes hum and offset (about 100 Hz at 16 kHz)
)

// Envelope is the loudness of one channel over time. The package needs no other data of the audio. It accepts audio
// while it is decoded, in order and in pieces of any size, and needs 1.5 MB of memory per hour.
type Envelope struct {
	rate         int
	samples      int       // processed so far
	powers       []float32 // mean power of each frame
	power        float64   // of the samples of the unfinished frame
	before, high float64   // state of the high-pass
}

// NewEnvelope returns an empty envelope. The rate is in samples per second, at least 100.
func NewEnvelope(rate int) *Envelope { return &Envelope{rate: rate} }

// Reserve allocates memory for the given length of further audio at once, so that appending does not overallocate.
func (e *Envelope) Reserve(length time.Duration) { e.powers = slices.Grow(e.powers, int(length/hop)+1) }

// EnvelopeOf returns the envelope of a whole channel.
func EnvelopeOf(pcm *sound.PCM) *Envelope {
	e := NewEnvelope(pcm.Rate)
	e.Add(pcm.Samples)
	return e
}

// Add processes the next samples.
func (e *Envelope) Add(samples []int16) {
	frame := e.frame()
	for _, s := range samples {
		x := float64(s) / full
		e.before, e.high = x, x-e.before+emphasis*e.high
		e.power += e.high * e.high
		if e.samples++; e.samples%frame == 0 {
			e.powers = append(e.powers, float32(e.power/float64(frame)))
			e.power = 0
		}
	}
}

// Duration returns the length of the audio added so far.
func (e *Envelope) Duration() time.Duration { return sound.At(e.samples, e.rate) }

func (e *Envelope) frame() int { return e.rate / int(time.Second/hop) }

// levels returns the mean level of width frames around each frame, in dB of full scale. The last value also covers an
// unfinished frame.
func (e *Envelope) levels(width int) []float32 {
	out := make([]float32, len(e.powers))
	for i := range out {
		near := e.powers[max(i-width/2, 0):min(i+(width+1)/2, len(out))]
		sum := 0.0
		for _, p := range near {
			sum += float64(p)
		}
		out[i] = float32(max(10*math.Log10(sum/float64(len(near))), quietest))
	}
	return out
}
