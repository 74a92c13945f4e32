package audio

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/internal/host/sandbox"
)

// Health is what Check found.
type Health struct {
	Version string   // of ffmpeg
	Missing []string // decoders and encoders that it lacks, and what for
	Remedy  string   // how to get them; empty when none is missing
}

// wanted are the decoders that recordings of calls need; the alternatives of one are separated by bars.
var wanted = []struct{ decoders, use string }{
	{"pcm_s16le", "WAV"}, {"pcm_u8", "8-bit WAV"}, {"pcm_mulaw", "mu-law telephony"}, {"pcm_alaw", "A-law telephony"},
	{"mp3|mp3float", "MP3"}, {"aac|libfdk_aac", "M4A, MP4 and AAC"}, {"opus|libopus", "Opus"},
	{"vorbis|libvorbis", "Ogg and WebM"},
	{"flac", "FLAC"}, {"alac", "Apple Lossless"}, {"gsm|libgsm", "GSM"}, {"gsm_ms|libgsm_ms", "GSM in WAV"},
	{"amrnb|libopencore_amrnb", "AMR"}, {"amrwb|libopencore_amrwb", "AMR-WB"}, {"adpcm_ms", "ADPCM"},
	{"adpcm_ima_wav", "ADPCM"},
	{"g722", "G.722"}, {"g726", "G.726"}, {"g729", "G.729"}, {"speex|libspeex", "Speex"}, {"wmav2", "Windows Media"},
	{"ac3", "AC-3"},
}

// Check asks ffmpeg and ffprobe for their versions and looks for the decoders that calls need, and the encoders of
// audioTranscode. An error of
// kind Unavailable, with a remedy, means that one of the programs cannot be run.
func (d *Decoder) Check(ctx context.Context) (*Health, error) {
	banner, err := ask(ctx, d.ffmpeg(), "-version")
	if err != nil {
		return nil, err
	}
	if _, err := ask(ctx, d.ffprobe(), "-version"); err != nil {
		return nil, err
	}
	list, err := ask(ctx, d.ffmpeg(), "-hide_banner", "-decoders")
	if err != nil {
		return nil, err
	}
	encoders, err := ask(ctx, d.ffmpeg(), "-hide_banner", "-encoders")
	if err != nil {
		return nil, err
	}
	h := &Health{Version: version(banner), Missing: append(lacking(list), lackingEncoders(encoders)...)}
	if len(h.Missing) > 0 {
		h.Remedy = "install an ffmpeg with these, such as Debian's: apt-get install ffmpeg"
	}
	return h, nil
}

func ask(ctx context.Context, program string, args ...string) (string, error) {
	cmd := sandbox.Command(ctx, program, args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := sandbox.Run(cmd, sandbox.Limits{Memory: 512 << 20}); err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("check %s: %w", program, context.Cause(ctx))
		}
		return "", missing(err)
	}
	return out.String(), nil
}

// version takes "5.1.9-0+deb12u1" out of "ffmpeg version 5.1.9-0+deb12u1 Copyright …".
func version(banner string) string {
	fields := strings.Fields(banner)
	if len(fields) < 3 {
		return "unknown"
	}
	return fields[2]
}

// lacking reads the table that ffmpeg -decoders prints: flags, name, description.
func lacking(list string) (missing []string) {
	has := map[string]bool{}
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 1 && strings.HasPrefix(fields[0], "A") {
			has[fields[1]] = true
		}
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(strings.Split(w.decoders, "|"), func(name string) bool { return has[name] }) {
			missing = append(missing, fmt.Sprintf("%s (%s)", w.decoders, w.use))
		}
	}
	return missing
}
