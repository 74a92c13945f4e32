// Package audio converts recordings of any format to 16 kHz PCM. It reads plain WAV files by itself, and runs ffmpeg and
// ffprobe as child processes for all others.
//
// ContentType detects a format from its first bytes, without a subprocess. Decoder.Decode returns a Decoded: the
// samples are in a temporary file and are read in segments, so that memory does not grow with the length of a call. A
// Track is the input of one recogniser: a channel, or a mix of several.
//
// Speech detection, recognition and storage are in other packages.
package audio

import (
	"cmp"
	"os"
	"time"
)

// Rate is the sample rate of all decoded audio, in samples per second.
const Rate = 16000

// Decoder decodes media files. The zero value uses ffmpeg and ffprobe from PATH. It is safe for concurrent use. Each
// call runs at most one child process at a time, so the caller controls the number of processes.
type Decoder struct {
	FFmpeg  string // name or path; default "ffmpeg"
	FFprobe string // name or path; default "ffprobe"
	Temp    string // folder for decoded samples; default the system's
	Limits  Limits
}

// Limits bound the resources used per recording. Zero fields select the defaults.
type Limits struct {
	Length   time.Duration // longest recording; default 8 h
	Samples  int64         // bytes of decoded samples of all channels; default 4 GiB (8 h in 4 channels)
	Channels int           // default 32
	Memory   uint64        // bytes of memory per child; default 512 MiB
	CPU      time.Duration // processor time, for any file size; default 30 s plus 2 s per MiB of the file
}

func (l Limits) orDefault() Limits {
	return Limits{
		Length:   cmp.Or(l.Length, 8*time.Hour),
		Samples:  cmp.Or(l.Samples, 4<<30),
		Channels: cmp.Or(l.Channels, 32),
		Memory:   cmp.Or(l.Memory, 512<<20),
		CPU:      cmp.Or(l.CPU, 30*time.Second),
	}
}

func (d *Decoder) ffmpeg() string  { return cmp.Or(d.FFmpeg, "ffmpeg") }
func (d *Decoder) ffprobe() string { return cmp.Or(d.FFprobe, "ffprobe") }
func (d *Decoder) temp() string    { return cmp.Or(d.Temp, os.TempDir()) }
