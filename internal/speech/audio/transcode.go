package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"parley/internal/words/fault"
)

// Format is a file format and its codec, as named in configurations, such as {"ogg", "opus"}.
type Format struct{ File, Codec string }

// encoding defines how ffmpeg writes a format.
type encoding struct {
	contentType string
	container   string   // ffmpeg's name of the container of such files
	codec       string   // ffmpeg's name of their codec
	args        []string // options for encoder and muxer
	rate        []string // bits per second, by number of channels from 1; the last applies to more
	channels    int      // maximum number of channels
}

// encodings are the supported output formats. At these bit rates listeners cannot distinguish calls from their
// source.
var encodings = map[Format]encoding{
	{"wav", "pcm"}: {"audio/wav", "wav", "pcm_s16le", []string{"-c:a", "pcm_s16le", "-f", "wav", "-rf64", "auto"},
		nil, 32},
	{"mp3", "mp3"}:   {"audio/mpeg", "mp3", "mp3", []string{"-c:a", "libmp3lame", "-q:a", "4", "-f", "mp3"}, nil, 2},
	{"flac", "flac"}: {"audio/flac", "flac", "flac", []string{"-c:a", "flac", "-f", "flac"}, nil, 8},
	{"opus", "opus"}: {"audio/ogg", "ogg", "opus", []string{"-c:a", "libopus", "-f", "opus"},
		[]string{"40k", "80k", "160k", "256k"}, 32},
	{"ogg", "opus"}: {"audio/ogg", "ogg", "opus", []string{"-c:a", "libopus", "-f", "ogg"},
		[]string{"40k", "80k", "160k", "256k"}, 32},
	{"ogg", "vorbis"}: {"audio/ogg", "ogg", "vorbis", []string{"-c:a", "libvorbis", "-q:a", "4", "-f", "ogg"}, nil, 8},
	{"m4a", "aac"}: {"audio/mp4", "mov,mp4,m4a,3gp,3g2,mj2", "aac", []string{"-c:a", "aac", "-f", "ipod"},
		[]string{"96k", "160k"}, 2},
	{"ogg", "flac"}: {"audio/ogg", "ogg", "flac", []string{"-c:a", "flac", "-f", "ogg"}, nil, 8},
}

// ContentType is the content type of files of the format; empty if it is not supported.
func (f Format) ContentType() string { return encodings[f].contentType }

// Already reports whether a recording is already in the format.
func (f Format) Already(d *Decoded) bool {
	e := encodings[f]
	return d.Container == e.container && d.Codec == e.codec
}

// Takes returns an error of kind Unsupported if a recording cannot be written in the format.
func (f Format) Takes(d *Decoded) error {
	if e, known := encodings[f]; !known || d.Channels > e.channels {
		return fault.New(fault.Unsupported, fault.CodeDecode, "the format %s in %s files does not support %d channels",
			f.Codec, f.File, d.Channels)
	}
	return nil
}

// Transcode writes the recording at path, which was decoded as d, in another format: all channels, the same length as
// d, at the source's sample rate or the nearest supported one, without tags. It returns an unlinked file, positioned
// at its start; closing it frees its space.
//
// Errors are faults: Unsupported if the format does not support the number of channels; Unavailable if ffmpeg or
// temporary space is missing; else Internal, with CodeDecode.
func (d *Decoder) Transcode(
	ctx context.Context, path, contentType string, of *Decoded, to Format,
) (_ *os.File, err error) {
	e := encodings[to]
	if err := to.Takes(of); err != nil {
		return nil, err
	}
	in, size, err := d.open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := nameless(d.temp(), "parley-transcoded-*")
	if err != nil {
		return nil, err
	}
	args := append(of.source.args(contentType), e.target(of.Channels)...)
	if err := d.encode(ctx, in, size, out, of, args); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// encode runs ffmpeg from one open file to another.
func (d *Decoder) encode(ctx context.Context, in *os.File, size int64, out *os.File, of *Decoded, args []string) error {
	limits := d.Limits.orDefault()
	p := d.program(ctx, d.ffmpeg(), in, d.allowance(size)+of.Length/slowestEncoder, args...)
	p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, out)
	p.limits.FileSize = uint64(limits.Samples) * uint64(1+of.SourceRate/Rate)
	exited, err := p.run(func(r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	})
	if err != nil {
		return err
	}
	info, err := out.Stat()
	if err != nil {
		return noSpace(err)
	}
	if exited != 0 || info.Size() == 0 {
		return fault.New(fault.Internal, fault.CodeDecode, "ffmpeg cannot encode the recording: %s",
			p.said.first())
	}
	return nil
}

// slowestEncoder is the minimum speed of any encoder on any machine, as a multiple of real time.
const slowestEncoder = 10

func (e *encoding) target(channels int) []string {
	args := slices.Clone(e.args)
	if len(e.rate) > 0 {
		args = append(args, "-b:a", e.rate[min(channels, len(e.rate))-1])
	}
	if e.codec == "opus" && channels > 2 { // channels are people, not loudspeaker positions: do not mix them
		args = append(args, "-mapping_family", "255")
	}
	return append(args, output)
}

// output is the path of the output file in the child. It is seekable, since headers are written last.
const output = "file:/dev/fd/4"

// lackingEncoders returns the encoders that are missing in the list printed by ffmpeg, and the formats that need them.
func lackingEncoders(list string) (missing []string) {
	has := audioCodecs(list)
	for f, e := range encodings {
		if name := e.args[1]; !has[name] {
			missing = append(missing, fmt.Sprintf("encoder %s (to write %s files)", name, f.File))
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// nameless creates a temporary file and unlinks it at once. Its space is freed however this process ends, and no
// other process finds its content.
func nameless(dir, pattern string) (*os.File, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, noSpace(err)
	}
	// the mode is the only way in which a child that runs as another user can open it by its descriptor
	if err := errors.Join(os.Remove(f.Name()), f.Chmod(0o666)); err != nil {
		f.Close()
		return nil, noSpace(err)
	}
	return f, nil
}
