package audio

import (
	"encoding/binary"
	"math"
	"os"
	"time"

	"parley/internal/words/sound"
)

// coding is the encoding of one sample.
type coding struct {
	name  string // ffmpeg's name, for its command line
	width int    // bytes
	put   func(to []byte, x float64)
}

// bareOf is the coding of the samples passed between child processes.
func bareOf(d *Decoded) coding {
	if d.source.deep {
		return coding{"s32le", 4, put32}
	}
	return coding{"s16le", 2, put16}
}

// samples are the interleaved samples in a file.
type samples struct {
	coding
	file           *os.File
	at             int64 // of the first byte
	frames         int64 // samples per channel
	rate, channels int
}

const (
	fade    = 20 * time.Millisecond // at both ends of a beep; the original sound stops without a fade
	highest = 0.45                  // share of the sample rate; higher tones would alias
)

// beep overwrites the samples of all channels for the duration of the beeps.
func (s *samples) beep(beeps []sound.Beep) error {
	for _, b := range beeps {
		if err := s.tone(b); err != nil {
			return err
		}
	}
	return nil
}

func (s *samples) tone(b sound.Beep) error {
	from, to := s.frame(b.Start, 0), s.frame(b.End, time.Second-1)
	turn := 2 * math.Pi * min(b.Frequency, highest*float64(s.rate)) / float64(s.rate)
	ramp := min(float64(s.rate)*fade.Seconds(), float64(to-from)/2)
	const some = 4096
	buffer := make([]byte, some*s.width*s.channels)
	for start := from; start < to; start += some {
		n := min(some, to-start)
		for i := range n {
			at := float64(start + i - from)
			loud := min(1, (at+.5)/ramp, (float64(to-from)-at-.5)/ramp)
			x := b.Gain * loud * math.Sin(turn*at)
			for c := range int64(s.channels) {
				s.put(buffer[(i*int64(s.channels)+c)*int64(s.width):], x)
			}
		}
		width := int64(s.width * s.channels)
		if _, err := s.file.WriteAt(buffer[:n*width], s.at+start*width); err != nil {
			return err
		}
	}
	return nil
}

// frame returns the frame at a time. Adding almost one frame as more rounds it up.
func (s *samples) frame(t, more time.Duration) int64 {
	second := t / time.Second
	rest := (int64(t%time.Second)*int64(s.rate) + int64(more)) / int64(time.Second)
	return min(max(int64(second)*int64(s.rate)+rest, 0), s.frames)
}

func full(x float64, top float64) float64 { return math.Round(max(min(x, 1), -1) * top) }

func putU8(to []byte, x float64) { to[0] = byte(full(x, math.MaxInt8) + 128) }

func put16(to []byte, x float64) {
	binary.LittleEndian.PutUint16(to, uint16(int16(full(x, math.MaxInt16))))
}

func put24(to []byte, x float64) {
	v := uint32(int32(full(x, 1<<23-1)))
	to[0], to[1], to[2] = byte(v), byte(v>>8), byte(v>>16)
}

func put32(to []byte, x float64) {
	binary.LittleEndian.PutUint32(to, uint32(int32(full(x, math.MaxInt32))))
}

func putFloat(to []byte, x float64) {
	binary.LittleEndian.PutUint32(to, math.Float32bits(float32(x)))
}

func putDouble(to []byte, x float64) {
	binary.LittleEndian.PutUint64(to, math.Float64bits(x))
}

// putMuLaw encodes mu-law as in ITU-T G.711: sign, exponent and four bits, all inverted.
func putMuLaw(to []byte, x float64) {
	const bias = 132
	v, sign := magnitude(x)
	v = min(v, 32635) + bias
	exponent := 7
	for mask := 1 << 14; exponent > 0 && v&mask == 0; mask >>= 1 {
		exponent--
	}
	to[0] = ^(sign | byte(exponent<<4) | byte(v>>(exponent+3)&15))
}

// putALaw encodes A-law as in ITU-T G.711: every other bit is inverted, and positive numbers have the sign bit set.
func putALaw(to []byte, x float64) {
	v, sign := magnitude(x)
	exponent := 7
	for mask := 1 << 14; exponent > 0 && v&mask == 0; mask >>= 1 {
		exponent--
	}
	code := byte(v >> 4 & 15)
	if exponent > 0 {
		code = byte(exponent<<4) | byte(v>>(exponent+3)&15)
	}
	to[0] = (code | sign ^ 0x80) ^ 0x55
}

// magnitude returns the magnitude of a 16-bit sample and its sign, which is 0x80 for negative samples.
func magnitude(x float64) (v int, sign byte) {
	v = int(full(x, math.MaxInt16))
	if v < 0 {
		return -v, 0x80
	}
	return v, 0
}
