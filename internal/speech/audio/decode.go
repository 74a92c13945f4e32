package audio

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// Decode decodes the file at path. contentType, as returned by ContentType, is used only for formats without a header
// (raw mu-law, GSM, G.722 …) and may be empty. The caller must close the result.
//
// Errors are faults: Invalid with CodeMediaUnreadable (not media, or no audio) or CodeDecode; TooLarge beyond
// Limits.Length or Limits.Samples; Unavailable if ffmpeg or temporary space is missing. A truncated or partly damaged
// file returns the decodable part with a warning. A file with an audio stream but no samples returns a Decoded of
// length 0.
func (d *Decoder) Decode(ctx context.Context, path, contentType string) (*Decoded, error) {
	file, size, err := d.open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size == 0 {
		return nil, fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the media is empty")
	}
	if w, ok := plainWAV(file, size); ok && w.channels <= d.Limits.orDefault().Channels {
		return d.unpack(ctx, file, w)
	}
	return d.convert(ctx, file, size, contentType)
}

// convert decodes a file of any format with ffprobe and ffmpeg.
func (d *Decoder) convert(ctx context.Context, file *os.File, size int64, contentType string) (*Decoded, error) {
	f, err := d.probe(ctx, file, size, contentType)
	if err != nil {
		return nil, err
	}
	f.promised = max(f.promised, promisedByWAV(file, size))
	got, err := d.samples(ctx, file, size, contentType, f)
	if err != nil || !f.mayHaveGaps(got.Length) {
		return got, err
	}
	f.fill = true
	filled, err := d.samples(ctx, file, size, contentType, f)
	if err != nil {
		return got, nil // use the result without filled gaps
	}
	return longer(got, filled), nil
}

// mayHaveGaps reports whether a recording that decoded to the given length may lack stretches. Phones and browsers
// send nothing while muted, and only the packet timestamps show it. Without filling, later words would be too early.
func (f *probeResult) mayHaveGaps(length time.Duration) bool {
	return f.timed() && (f.promised == 0 || length < f.promised-200*time.Millisecond)
}

// timed reports whether the container has a timestamp per packet.
func (f *probeResult) timed() bool {
	return slices.ContainsFunc([]string{"matroska", "mov", "ogg", "asf", "flv", "mpegts"}, func(name string) bool {
		return strings.HasPrefix(f.container, name)
	})
}

// longer keeps the longer of two decodings and closes the other. Filling gaps loses the rest of the audio if
// timestamps run backwards, as in concatenated files.
func longer(plain, filled *Decoded) *Decoded {
	if filled.Length <= plain.Length {
		plain, filled = filled, plain
	}
	plain.Close()
	return filled
}

// samples runs ffmpeg on a probed file and collects its output.
func (d *Decoder) samples(
	ctx context.Context, file *os.File, size int64, contentType string, f *probeResult,
) (_ *Decoded, err error) {
	limits := d.Limits.orDefault()
	s, err := newSpool(d.temp(), f.channels, limits)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	p := d.program(ctx, d.ffmpeg(), file, d.allowance(size), append(f.args(contentType),
		"-ar", strconv.Itoa(Rate), "-c:a", "pcm_s16le", "-f", "s16le", "-flush_packets", "0", "pipe:1")...)
	exited, err := p.run(s.fill)
	if err != nil {
		return nil, err
	}
	if s.frames == 0 && (exited != 0 || p.said.lines > 0) {
		return nil, unreadable(fault.CodeDecode, "the "+f.codec+" audio cannot be decoded", &p.said)
	}
	return f.decoded(s, exited, &p.said)
}

// source is an audio stream of a file, as ffmpeg reads it.
type source struct {
	index    int // in the file
	channels int
	plain    bool // mono or stereo by the layout, or if there is none by the channel count
	fill     bool // insert silence where packets are missing
	deep     bool // more than 16 bits per sample are significant
}

// args returns the options of ffmpeg that read the stream, without tags and other streams.
func (s *source) args(contentType string) []string {
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "1"}, confinement()...)
	args = append(args, headerless[contentType]...)
	args = append(args, "-guess_layout_max", "2", "-i", input, "-map", "0:"+strconv.Itoa(s.index), "-vn", "-sn", "-dn",
		"-map_metadata", "-1", "-map_chapters", "-1")
	if s.plain { // other layouts would be mixed as loudspeaker positions; the channels of a call are people
		args = append(args, "-ac", strconv.Itoa(s.channels)) // needed if the channel count changes within the file
	}
	if s.fill {
		args = append(args, "-af", fillGaps)
	}
	return args
}

// fillGaps inserts silence where packets are missing, by their timestamps.
const fillGaps = "aresample=async=1:min_hard_comp=0.1:first_pts=0"

func (f *probeResult) decoded(s *spool, exited int, said *messages) (*Decoded, error) {
	shape, err := s.waveform.Finish()
	if err != nil {
		return nil, noSpace(err)
	}
	d := &Decoded{
		SourceRate: f.rate, Channels: f.channels, Codec: f.codec, Container: f.container,
		Length: sound.At(int(s.frames), Rate),
		file:   s.file, frames: s.frames, source: f.source, points: s.points, shape: shape,
	}
	d.DualMono, d.inverted = s.likeness.dualMono(), s.likeness.inverted()
	d.Warnings = f.warnings(d.Length, exited, said)
	return d, nil
}

// warnings lists what was lost or left out.
func (f *probeResult) warnings(length time.Duration, exited int, said *messages) []fault.Problem {
	var w []fault.Problem
	warn := func(code int, format string, args ...any) {
		w = append(w, fault.Problem{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	got := length.Round(time.Millisecond)
	switch damaged := exited != 0 || said.lines > 0; {
	case damaged && said.first() != "":
		warn(fault.CodeDecode, "the media is damaged or incomplete; only %v could be decoded: %s", got, said.first())
	case damaged:
		warn(fault.CodeDecode, "the media is damaged; the decoder stopped after %v", got)
	case length < f.promised*9/10-time.Second:
		warn(fault.CodeDecode, "the media is incomplete: %v could be decoded; its header says %v", got,
			f.promised.Round(time.Millisecond))
	}
	if f.streams > 1 {
		warn(fault.CodeIgnored, "the media has %d audio streams; only the first is used", f.streams)
	}
	return w
}
