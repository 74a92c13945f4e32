package audio

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/internal/host/sandbox"
)

// Health is the result of Check.
type Health struct {
	Version string   // of ffmpeg
	Missing []string // missing decoders and encoders, and what needs them
	Remedy  string   // how to install them; empty if none is missing
}

// decoders are needed for recordings of calls. Alternatives are separated by bars.
var decoders = []struct{ names, use string }{
	{"pcm_s16le", "WAV"}, {"pcm_u8", "8-bit WAV"}, {"pcm_mulaw", "mu-law telephony"}, {"pcm_alaw", "A-law telephony"},
	{"mp3|mp3float", "MP3"}, {"aac|libfdk_aac", "M4A, MP4 and AAC"}, {"opus|libopus", "Opus"},
	{"vorbis|libvorbis", "Ogg and WebM"}, {"flac", "FLAC"}, {"alac", "Apple Lossless"}, {"gsm|libgsm", "GSM"},
	{"gsm_ms|libgsm_ms", "GSM in WAV"}, {"amrnb|libopencore_amrnb", "AMR"}, {"amrwb|libopencore_amrwb", "AMR-WB"},
	{"adpcm_ms", "ADPCM"}, {"adpcm_ima_wav", "ADPCM"}, {"g722", "G.722"}, {"g726", "G.726"}, {"g729", "G.729"},
	{"speex|libspeex", "Speex"}, {"wmav2", "Windows Media"}, {"ac3", "AC-3"},
}

// Check runs ffmpeg and ffprobe to get their versions. It looks for the decoders that calls need and the encoders of
// audioTranscode. An error of kind Unavailable, with a remedy, means that one of the programs cannot be run.
func (d *Decoder) Check(ctx context.Context) (*Health, error) {
	version, err := d.Version(ctx)
	if err != nil {
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
	h := &Health{Version: version, Missing: append(lacking(list), lackingEncoders(encoders)...)}
	if len(h.Missing) > 0 {
		h.Remedy = "install an ffmpeg that has them, such as that of Debian: apt-get install ffmpeg"
	}
	return h, nil
}

// Version runs ffmpeg and ffprobe, and returns the version of ffmpeg. Its errors are those of Check.
func (d *Decoder) Version(ctx context.Context) (string, error) {
	banner, err := ask(ctx, d.ffmpeg(), "-version")
	if err != nil {
		return "", err
	}
	if _, err := ask(ctx, d.ffprobe(), "-version"); err != nil {
		return "", err
	}
	return versionIn(banner), nil
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

// versionIn extracts "5.1.9-0+deb12u1" from "ffmpeg version 5.1.9-0+deb12u1 Copyright …".
func versionIn(banner string) string {
	fields := strings.Fields(banner)
	if len(fields) < 3 {
		return "unknown"
	}
	return fields[2]
}

// audioCodecs parses the table printed by ffmpeg -decoders and -encoders: flags, name, description.
func audioCodecs(list string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 1 && strings.HasPrefix(fields[0], "A") {
			names[fields[1]] = true
		}
	}
	return names
}

// lacking returns the decoders that are missing in the list printed by ffmpeg.
func lacking(list string) (missing []string) {
	has := audioCodecs(list)
	for _, w := range decoders {
		if !slices.ContainsFunc(strings.Split(w.names, "|"), func(name string) bool { return has[name] }) {
			missing = append(missing, fmt.Sprintf("%s (%s)", w.names, w.use))
		}
	}
	return missing
}
