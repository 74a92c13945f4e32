package audio

import (
	"cmp"
	"context"
	"io"
	"strconv"
)

// Playable is a recording in a form that every browser plays.
type Playable struct {
	io.Reader
	ContentType string
	io.Closer
}

// Playable returns a recording, before its samples are freed, in a form that browsers play and in which they seek
// exactly: FLAC with a seek table, of the samples that were decoded, at their rate in the source if that is lower; WAV for
// more channels than FLAC supports. Close it before the recording. Errors are those of Transcode.
func (d *Decoder) Playable(ctx context.Context, of *Decoded) (*Playable, error) {
	if (Format{"flac", "flac"}).Takes(of) != nil {
		whole := &Cut{Channels: of.Channels, Frames: of.frames, content: of.file}
		return &Playable{whole.WAV(), "audio/wav", io.NopCloser(nil)}, nil
	}
	out, err := nameless(d.temp(), "parley-playable-*")
	if err != nil {
		return nil, err
	}
	channels := strconv.Itoa(of.Channels)
	args := []string{"-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "1", "-protocol_whitelist", "file,pipe",
		"-f", "s16le", "-ar", strconv.Itoa(Rate), "-ac", channels, "-guess_layout_max", "2", "-i", input,
		"-ar", strconv.Itoa(min(cmp.Or(of.SourceRate, Rate), Rate)), "-c:a", "flac", "-compression_level", "5",
		"-map_metadata", "-1", "-f", "flac", output}
	if err := d.encode(ctx, of.file, of.frames*int64(2*of.Channels), out, of, args); err != nil {
		out.Close()
		return nil, err
	}
	info, err := out.Stat()
	var content io.Reader
	if err == nil {
		content, err = withSeekTable(out, info.Size())
	}
	if err != nil {
		out.Close()
		return nil, noSpace(err)
	}
	return &Playable{content, "audio/flac", out}, nil
}
