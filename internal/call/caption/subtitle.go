package caption

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/words/transcript"
)

// srt renders SubRip. The format has no escapes, but players interpret <i>, {\i1} and --> as markup, so angle brackets
// in the text become similar-looking quotation marks.
func srt(_ *transcript.Transcript, cues []Cue) []byte {
	var b strings.Builder
	for i, c := range cues {
		text := escapeSRT(strings.Join(c.Lines, "\n"))
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n\n", i+1, clock(c.Start, ","), clock(c.End, ","), text)
	}
	return []byte(b.String())
}

func escapeSRT(text string) string {
	return strings.NewReplacer("<", "‹", ">", "›", `{\`, `{ \`).Replace(text)
}

// webvtt renders WebVTT (W3C Candidate Recommendation, 2019), with a voice span around each cue of a named speaker.
func webvtt(_ *transcript.Transcript, cues []Cue) []byte {
	var b strings.Builder
	b.WriteString("WEBVTT\n\n")
	for i, c := range cues {
		text := escapeVTT(strings.Join(c.Lines, "\n"))
		if c.Name != "" {
			text = "<v " + escapeVTT(c.Name) + ">" + text
		}
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n\n", i+1, clock(c.Start, "."), clock(c.End, "."), text)
	}
	return []byte(b.String())
}

// vttEscapes escapes the special characters of WebVTT.
var vttEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escapeVTT(text string) string { return vttEscapes.Replace(text) }

// clock formats a time as 00:00:00, the separator and three digits of milliseconds.
func clock(t time.Duration, separator string) string {
	ms := t.Milliseconds()
	return fmt.Sprintf("%02d:%02d:%02d%s%03d", ms/3600000, ms/60000%60, ms/1000%60, separator, ms%1000)
}
