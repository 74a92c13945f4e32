package audio

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// Decoded is a recording as 16 kHz PCM, kept in a nameless temporary file (32 kB a second and channel) until
// it is closed. Reading is safe from many goroutines.
type Decoded struct {
	SourceRate int             // samples per second before resampling
	Channels   int             // of the source, at least 1
	Codec      string          // ffmpeg's name, such as "pcm_mulaw"
	Container  string          // ffmpeg's name, such as "wav" or "mov,mp4,m4a,3gp,3g2,mj2"
	Length     time.Duration   // of what was decoded, never from a header; may be 0
	DualMono   bool            // several channels, all with the same signal
	Warnings   []fault.Problem // what was lost or left out

	file     *os.File
	frames   int64
	inverted []bool // channels that are the first one upside down

	index         int  // of the stream in the source
	plain, filled bool // as found has them
	deep          bool
}

// Close gives the space back.
func (d *Decoded) Close() error { return d.file.Close() }

// Track is what one recogniser hears: one channel of a recording, or the mean of several.
type Track struct {
	decoded  *Decoded
	channels []int
}

// Track returns one channel, counted from 0, or the mix of several; of all without arguments. A mix is the
// mean, which cannot clip; a channel that is the first one upside down is turned round before. It panics
// where there is no such channel.
func (d *Decoded) Track(channels ...int) *Track {
	if len(channels) == 0 {
		for c := range d.Channels {
			channels = append(channels, c)
		}
	}
	for _, c := range channels {
		if c < 0 || c >= d.Channels {
			panic(fmt.Sprintf("audio: channel %d of %d", c, d.Channels))
		}
	}
	return &Track{decoded: d, channels: channels}
}

// Read returns the samples of a segment, cut to the recording. 30 s take 1 MB, and as much again a channel of
// the source while reading.
func (t *Track) Read(s sound.Segment) (*sound.PCM, error) {
	d := t.decoded
	from, to := d.frame(s.Start), d.frame(s.End)
	if to <= from {
		return &sound.PCM{Rate: Rate}, nil
	}
	raw := make([]byte, (to-from)*int64(2*d.Channels))
	if _, err := d.file.ReadAt(raw, from*int64(2*d.Channels)); err != nil && err != io.EOF {
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "read decoded audio: %w", err)
	}
	return &sound.PCM{Rate: Rate, Samples: t.pick(raw, int(to-from))}, nil
}

func (t *Track) pick(raw []byte, frames int) []int16 {
	width, count := 2*t.decoded.Channels, int32(len(t.channels))
	samples := make([]int16, frames)
	for i := range samples {
		frame := raw[i*width : (i+1)*width]
		var sum int32
		for _, c := range t.channels {
			x := int32(int16(binary.LittleEndian.Uint16(frame[2*c:])))
			if count > 1 && t.decoded.inverted[c] {
				x = -x
			}
			sum += x
		}
		samples[i] = int16(min(sum/count, 1<<15-1)) // -(-32768) is one too many
	}
	return samples
}

func (d *Decoded) frame(t time.Duration) int64 {
	return min(max(int64(t)*Rate/int64(time.Second), 0), d.frames)
}

// Blocks yields consecutive segments of a length that cover the recording; the last one may be shorter.
func (d *Decoded) Blocks(length time.Duration) iter.Seq[sound.Segment] {
	return func(yield func(sound.Segment) bool) {
		for start := time.Duration(0); start < d.Length; start += length {
			if !yield(sound.Segment{Start: start, End: min(start+length, d.Length)}) {
				return
			}
		}
	}
}
