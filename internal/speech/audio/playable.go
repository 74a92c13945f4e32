package audio

import (
	"cmp"
	"context"
	"io"
	"os"
	"strconv"
)

// PlayableType is the content type of what Playable returns.
const PlayableType = "audio/flac"

// Playable returns a recording, before its samples are freed, in a form that browsers play and in which they seek
// exactly: FLAC with a seek table, of the samples that were decoded, at their rate in the source if that is lower. Close
// the file after reading. Errors are those of Transcode.
func (d *Decoder) Playable(ctx context.Context, of *Decoded) (content io.Reader, file *os.File, err error) {
	to := Format{"flac", "flac"}
	if err := to.Takes(of); err != nil {
		return nil, nil, err
	}
	out, err := nameless(d.temp(), "parley-playable-*")
	if err != nil {
		return nil, nil, err
	}
	channels := strconv.Itoa(of.Channels)
	args := []string{"-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "1", "-protocol_whitelist", "file,pipe",
		"-f", "s16le", "-ar", strconv.Itoa(Rate), "-ac", channels, "-guess_layout_max", "2", "-i", input,
		"-ar", strconv.Itoa(min(cmp.Or(of.SourceRate, Rate), Rate)), "-c:a", "flac", "-compression_level", "5",
		"-map_metadata", "-1", "-f", "flac", output}
	if err := d.encode(ctx, of.file, of.frames*int64(2*of.Channels), out, of, args); err != nil {
		out.Close()
		return nil, nil, err
	}
	info, err := out.Stat()
	if err == nil {
		content, err = withSeekTable(out, info.Size())
	}
	if err != nil {
		out.Close()
		return nil, nil, noSpace(err)
	}
	return content, out, nil
}
