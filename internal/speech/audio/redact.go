package audio

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"parley/internal/words/sound"
)

// Redact writes the recording at path, which was decoded as d, with beeps in the place of what was heard on any channel
// meanwhile: not a sample of it is left. Without a format, or in the one that the recording came in, PCM, A-law and
// mu-law in WAV files keep every bit of all other samples, and so do lossless formats; what is lossy is encoded again
// in its own format, at a rate that listeners do not tell from the source, or, where nobody writes that any more, as
// FLAC. Pictures, tags and everything else that is no sound is left out.
//
// It gives the file from its start, without a name, and its content type. Memory does not grow with the recording;
// the temporary folder needs room for its samples. Errors are those of Transcode.
func (d *Decoder) Redact(
	ctx context.Context, path, contentType string, of *Decoded, beeps []sound.Beep, to *Format,
) (*os.File, string, error) {
	in, err := d.open(path)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	if to == nil || to.Already(of) {
		if out, err := d.patch(in, of, beeps); out != nil || err != nil {
			return out, contentType, err
		}
	}
	kept := of.likely()
	if to != nil {
		kept = *to
	}
	out, err := d.overlay(ctx, in, contentType, of, beeps, kept)
	return out, kept.ContentType(), err
}

// likely is the format that a redacted recording is written in: its own, if there is an encoder of it.
func (d *Decoded) likely() Format {
	for _, f := range []Format{{"mp3", "mp3"}, {"flac", "flac"}, {"ogg", "opus"}, {"ogg", "vorbis"}, {"m4a", "aac"}} {
		if e := encodings[f]; e.codec == d.Codec && d.Channels <= e.channels {
			return f
		}
	}
	if flac := (Format{"flac", "flac"}); d.Channels <= encodings[flac].channels {
		return flac
	}
	return Format{"wav", "pcm"}
}

// patch copies a WAV file and writes over the samples of the beeps. It gives no file for others.
func (d *Decoder) patch(in *os.File, of *Decoded, beeps []sound.Beep) (*os.File, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("open media: %w", err)
	}
	w, ok := parseWAV(in, info.Size())
	if !ok || !w.fits(of) {
		return nil, nil
	}
	out, err := nameless(d.temp(), "parley-redacted-*")
	if err != nil {
		return nil, err
	}
	s, err := w.copy(in, out)
	if err == nil {
		err = s.beep(beeps)
	}
	return rewound(out, err)
}

// rewound is a file that was written, from its start, unless that failed.
func rewound(out *os.File, err error) (*os.File, error) {
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err != nil {
		out.Close()
		return nil, noSpace(err)
	}
	return out, nil
}

// overlay decodes a recording to bare samples at its own rate, writes over those of the beeps, and encodes them.
func (d *Decoder) overlay(
	ctx context.Context, in *os.File, contentType string, of *Decoded, beeps []sound.Beep, to Format,
) (*os.File, error) {
	e := encodings[to]
	if err := to.Takes(of); err != nil {
		return nil, err
	}
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("open media: %w", err)
	}
	bare, err := nameless(d.temp(), "parley-samples-*")
	if err != nil {
		return nil, err
	}
	defer bare.Close()
	codec := bareOf(of)
	if err := d.encode(ctx, in, info.Size(), bare, of,
		append(e.source(contentType, of), "-c:a", "pcm_"+codec.name, "-f", codec.name, output)); err != nil {
		return nil, err
	}
	if info, err = bare.Stat(); err != nil {
		return nil, noSpace(err)
	}
	s := samples{file: bare, frames: info.Size() / int64(codec.width*of.Channels), rate: of.SourceRate,
		channels: of.Channels, coding: codec}
	if err := s.beep(beeps); err != nil {
		return nil, noSpace(err)
	}
	out, err := nameless(d.temp(), "parley-redacted-*")
	if err != nil {
		return nil, err
	}
	args := []string{"-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "1", "-protocol_whitelist",
		"file,pipe",
		"-f", codec.name, "-ar", strconv.Itoa(of.SourceRate), "-ac", strconv.Itoa(of.Channels), "-guess_layout_max",
		"2", "-i", input}
	if err := d.encode(ctx, bare, info.Size(), out, of, append(args, e.target(of.Channels)...)); err != nil {
		out.Close()
		return nil, err
	}
	return rewound(out, nil)
}
