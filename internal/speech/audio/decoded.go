package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"parley/internal/speech/waveform"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// Decoded is a recording as 16 kHz PCM, stored in an unlinked temporary file (32 kB per second and channel) until it
// is freed, and its waveform in another one (200 bytes per second and channel) until it is closed. Reading is safe for
// concurrent use.
type Decoded struct {
	SourceRate int             // samples per second before resampling
	Channels   int             // of the source, at least 1
	Codec      string          // ffmpeg's name, such as "pcm_mulaw"
	Container  string          // ffmpeg's name, such as "wav" or "mov,mp4,m4a,3gp,3g2,mj2"
	Length     time.Duration   // of the decoded audio, not from a header; may be 0
	DualMono   bool            // several channels with the same signal
	Warnings   []fault.Problem // what was lost or left out

	file     *os.File
	frames   int64
	inverted []bool // channels that are an inverted copy of the first one
	source   source

	points *os.File // of the waveform
	shape  waveform.Shape
}

// Free frees the samples; the waveform stays.
func (d *Decoded) Free() error { return closed(d.file.Close()) }

// Close frees all temporary files. It can be repeated.
func (d *Decoded) Close() error { return errors.Join(d.Free(), closed(d.points.Close())) }

// closed ignores that a file was closed before.
func closed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// Waveform returns the waveform as it is stored (see package waveform), flat during some stretches. It can be read until
// the recording is closed.
func (d *Decoded) Waveform(flat []sound.Segment) io.Reader {
	return waveform.Encode(d.points, d.shape, flat)
}

// Track is the input of one recogniser: one channel of a recording, or the mean of several.
type Track struct {
	decoded  *Decoded
	channels []int
}

// Track returns one channel, counted from 0, or the mix of several, or of all if called without arguments. A mix is
// the mean, which cannot clip; an inverted copy of the first channel is inverted back first. Track panics if a
// channel does not exist.
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

// Read returns the samples of a segment, clamped to the recording. 30 s need 1 MB, plus as much per channel of the
// source during the call.
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
		samples[i] = int16(min(sum/count, 1<<15-1)) // inverting -32768 overflows
	}
	return samples
}

func (d *Decoded) frame(t time.Duration) int64 {
	return min(max(int64(t)*Rate/int64(time.Second), 0), d.frames)
}

// Blocks yields consecutive segments of the given length that cover the recording; the last one may be shorter.
func (d *Decoded) Blocks(length time.Duration) iter.Seq[sound.Segment] {
	return func(yield func(sound.Segment) bool) {
		for start := time.Duration(0); start < d.Length; start += length {
			if !yield(sound.Segment{Start: start, End: min(start+length, d.Length)}) {
				return
			}
		}
	}
}
