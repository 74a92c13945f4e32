// Package audio turns recordings of any format into 16 kHz PCM, with ffmpeg and ffprobe as child processes.
//
// ContentType names a format by its first bytes, without a subprocess. Decoder.Decode gives a Decoded: the
// samples lie in a temporary file and are read by stretches of time, so that memory does not grow with the
// length of a call. A Track is what one recogniser hears: a channel, or the mix of several.
//
// The package does not look for speech, recognise it or store anything.
package audio

import (
	"cmp"
	"os"
	"time"
)

// Rate is the sample rate of all decoded audio, in samples per second.
const Rate = 16000

// Decoder decodes media files. The zero value works where ffmpeg and ffprobe are on the PATH. It is safe for
// concurrent use; each call runs one child process at a time, so the caller decides how many run at once.
type Decoder struct {
	FFmpeg  string // name or path; default "ffmpeg"
	FFprobe string // name or path; default "ffprobe"
	Temp    string // folder for decoded samples; default the system's
	Limits  Limits
}

// Limits bound what a recording may cost. Zero fields take the defaults.
type Limits struct {
	Length   time.Duration // longest recording; default 8 h
	Samples  int64         // bytes of decoded samples of all channels; default 4 GiB (8 h in 4 channels)
	Channels int           // default 32
	Memory   uint64        // bytes of memory of one child; default 512 MiB
	CPU      time.Duration // processor time whatever the file's size; default 30 s, plus 2 s a MiB of the file
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
