package audio

import (
	"context"
	"fmt"
	"io"
	"os"
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
	file, err := d.open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("open media: %w", err)
	}
	if info.Size() == 0 {
		return nil, fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the media is empty")
	}
	f, err := d.probe(ctx, file, info.Size(), contentType)
	if err != nil {
		return nil, err
	}
	f.promised = max(f.promised, promisedByWAV(file, info.Size()))
	got, err := d.samples(ctx, file, info.Size(), contentType, f)
	if err != nil || !f.mayHaveGaps(got.Length) {
		return got, err
	}
	f.fill = true
	filled, err := d.samples(ctx, file, info.Size(), contentType, f)
	if err != nil {
		return got, nil // use the result without filled gaps
	}
	return longer(got, filled), nil
}

// mayHaveGaps reports whether a recording that decoded to the given length may lack stretches. Phones and browsers
// send nothing while muted, and only the packet timestamps show it. Without filling, later words would be too early.
func (f *found) mayHaveGaps(length time.Duration) bool {
	return f.timed() && (f.promised == 0 || length < f.promised-200*time.Millisecond)
}

// timed reports whether the container has a timestamp per packet.
func (f *found) timed() bool {
	for _, name := range []string{"matroska", "mov", "ogg", "asf", "flv", "mpegts"} {
		if strings.HasPrefix(f.container, name) {
			return true
		}
	}
	return false
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
	ctx context.Context, file *os.File, size int64, contentType string, f *found,
) (_ *Decoded, err error) {
	limits := d.Limits.orDefault()
	s, err := newSpool(d.temp(), f.channels, limits)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.file.Close()
		}
	}()
	p := d.program(ctx, d.ffmpeg(), file, size, decodeArgs(contentType, f)...)
	exited, err := p.run(func(r io.Reader) error { return s.fill(r) })
	if err != nil {
		return nil, err
	}
	if s.frames == 0 && (exited != 0 || p.said.lines > 0) {
		return nil, undecodable(f, &p.said)
	}
	return f.decoded(s, exited, &p.said), nil
}

func decodeArgs(contentType string, f *found) []string {
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error", "-threads", "1"}, confinement()...)
	args = append(args, headerless[contentType]...)
	args = append(args, "-guess_layout_max", "2", "-i", input, "-map", "0:"+strconv.Itoa(f.index), "-vn", "-sn", "-dn")
	if f.plain { // other layouts would be mixed as loudspeaker positions; the channels of a call are people
		args = append(args, "-ac", strconv.Itoa(f.channels)) // needed if the channel count changes within the file
	}
	if f.fill {
		args = append(args, "-af", fillGaps)
	}
	return append(args, "-ar", strconv.Itoa(Rate), "-c:a", "pcm_s16le", "-f", "s16le", "-flush_packets", "0", "pipe:1")
}

// fillGaps inserts silence where packets are missing, by their timestamps.
const fillGaps = "aresample=async=1:min_hard_comp=0.1:first_pts=0"

func undecodable(f *found, said *messages) error {
	what := "the " + f.codec + " audio cannot be decoded"
	if s := said.first(); s != "" {
		what += ": " + s
	}
	return fault.New(fault.Invalid, fault.CodeDecode, "%s", what)
}

func (f *found) decoded(s *spool, exited int, said *messages) *Decoded {
	d := &Decoded{
		SourceRate: f.rate, Channels: f.channels, Codec: f.codec, Container: f.container,
		Length: sound.At(int(s.frames), Rate),
		file:   s.file, frames: s.frames, index: f.index, plain: f.plain, filled: f.fill, deep: f.deep,
	}
	d.DualMono, d.inverted = s.likeness.dualMono(), s.likeness.inverted()
	d.Warnings = f.warnings(d.Length, exited, said)
	return d
}

// warnings lists what was lost or left out.
func (f *found) warnings(length time.Duration, exited int, said *messages) []fault.Problem {
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
