// Package caption renders a transcript for people and players: plain text, SRT, WebVTT and DFXP (TTML 1.0).
//
// It is pure: a transcript goes in, bytes come out. It does not format words (punctuation, numbers), and
// the JSON transcript is package wire's.
package caption

import (
	"slices"
	"strings"
	"sync"

	"parley/internal/transcript"
)

// Format names an output format as the API and the command line do.
type Format string

// The formats.
const (
	Text   Format = "text"
	SRT    Format = "srt"
	WebVTT Format = "webvtt"
	DFXP   Format = "dfxp"
)

// Formats lists all formats in the documented order.
var Formats = []Format{Text, SRT, WebVTT, DFXP}

// ParseFormat returns the format of a name, case and surrounding spaces ignored, and whether there is one.
func ParseFormat(name string) (Format, bool) {
	f := Format(strings.ToLower(strings.TrimSpace(name)))
	return f, slices.Contains(Formats, f)
}

// ContentType returns the media type of the format, without a charset; all formats are UTF-8.
func (f Format) ContentType() string {
	switch f {
	case SRT:
		return "text/srt"
	case WebVTT:
		return "text/vtt"
	case DFXP:
		return "application/ttaf+xml"
	}
	return "text/plain"
}

// Extension returns the usual ending of a file's name, with its dot.
func (f Format) Extension() string {
	switch f {
	case SRT:
		return ".srt"
	case WebVTT:
		return ".vtt"
	case DFXP:
		return ".dfxp"
	}
	return ".txt"
}

// Render returns the transcript in a format, UTF-8, ending in a line feed unless it is empty text.
func Render(t *transcript.Transcript, f Format) []byte { return RenderAll(t, []Format{f})[0] }

// RenderAll is Render for several formats, in their order; what they share is made once.
func RenderAll(t *transcript.Transcript, formats []Format) [][]byte {
	cues := sync.OnceValue(func() []Cue { return Cues(t) })
	all := make([][]byte, len(formats))
	for i, f := range formats {
		switch f {
		case SRT:
			all[i] = srt(cues())
		case WebVTT:
			all[i] = webvtt(cues())
		case DFXP:
			all[i] = dfxp(t, cues())
		default:
			all[i] = text(t)
		}
	}
	return all
}

// text renders one line a turn, with the speaker's name in front when speakers are named.
func text(t *transcript.Transcript) []byte {
	var b strings.Builder
	for _, turn := range t.Turns() {
		line := clean(t.Text(turn.Words))
		if line == "" {
			continue
		}
		if name := nameOf(t, turn.Speaker); name != "" {
			line = prefix(name) + " " + line
		}
		b.WriteString(line + "\n")
	}
	return []byte(b.String())
}
