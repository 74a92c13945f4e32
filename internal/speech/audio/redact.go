package audio

import (
	"context"
	"io"
	"os"
	"strconv"

	"parley/internal/words/sound"
)

// Redact writes a copy of the recording at path, which was decoded as d, with all channels replaced by beeps during
// the given times; no original sample of these times remains. Without a format, or in the format of the source, all
// other samples stay bit-identical in lossless formats and in WAV files with PCM, A-law or mu-law. Lossy sources are
// encoded again in their own format, at a bit rate that listeners cannot distinguish from the source, or as FLAC if
// there is no encoder for it. Images, tags and other data that is not audio are left out.
//
// Redact returns an unlinked file, positioned at its start, and its content type. Memory does not grow with the
// recording; the temporary folder needs space for its samples. Errors are those of Transcode.
func (d *Decoder) Redact(
	ctx context.Context, path, contentType string, of *Decoded, beeps []sound.Beep, to *Format,
) (*os.File, string, error) {
	in, size, err := d.open(path)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	if to == nil || to.Already(of) {
		if out, err := d.patch(in, size, of, beeps); out != nil || err != nil {
			return out, contentType, err
		}
	}
	kept := of.likely()
	if to != nil {
		kept = *to
	}
	out, err := d.overlay(ctx, in, size, contentType, of, beeps, kept)
	return out, kept.ContentType(), err
}

// likely is the default format of a redacted recording: its own if there is an encoder for it, else
// FLAC, or WAV for more channels than FLAC supports.
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

// patch copies a WAV file and overwrites the samples of the beeps. It returns a nil file if the format is not
// supported.
func (d *Decoder) patch(in *os.File, size int64, of *Decoded, beeps []sound.Beep) (*os.File, error) {
	w, ok := parseWAV(in, size)
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

// rewound seeks a written file to its start, unless writing failed.
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

// overlay decodes a recording to raw samples at its own rate, overwrites those of the beeps, and encodes the result.
func (d *Decoder) overlay(
	ctx context.Context, in *os.File, size int64, contentType string, of *Decoded, beeps []sound.Beep, to Format,
) (*os.File, error) {
	e := encodings[to]
	if err := to.Takes(of); err != nil {
		return nil, err
	}
	bare, err := nameless(d.temp(), "parley-samples-*")
	if err != nil {
		return nil, err
	}
	defer bare.Close()
	codec := bareOf(of)
	if err := d.encode(ctx, in, size, bare, of,
		append(of.source.args(contentType), "-c:a", "pcm_"+codec.name, "-f", codec.name, output)); err != nil {
		return nil, err
	}
	info, err := bare.Stat()
	if err != nil {
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
	args := []string{"-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "1",
		"-protocol_whitelist", "file,pipe", "-f", codec.name, "-ar", strconv.Itoa(of.SourceRate),
		"-ac", strconv.Itoa(of.Channels),
		"-guess_layout_max", "2", "-i", input}
	if err := d.encode(ctx, bare, info.Size(), out, of, append(args, e.target(of.Channels)...)); err != nil {
		out.Close()
		return nil, err
	}
	return rewound(out, nil)
}
