// Package caption defines the formats of a transcript and renders it for people and players: plain text, SRT, WebVTT
// and DFXP (TTML 1.0).
//
// It has no side effects: a transcript goes in, bytes come out. It does not format words (punctuation, numbers); the
// JSON transcript is in package wire.
package caption

import (
	"cmp"
	"slices"
	"strings"

	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Format is the name of a transcript format, in the API and on the command line.
type Format string

// The formats.
const (
	JSON   Format = "json"
	Text   Format = "text"
	SRT    Format = "srt"
	WebVTT Format = "webvtt"
	DFXP   Format = "dfxp"
)

// row describes a format.
type row struct {
	name        Format
	contentType string
	extension   string

	// aliases are further media types and ranges that select it.
	aliases []string
	// place is the position among the formats of analytics bodies, from 1, because public clients select formats by
	// position; 0: not among them.
	place int
	// timed formats consist of cues, for players.
	timed bool
	// render is nil for the format that package wire renders.
	render func(t *transcript.Transcript, cues []Cue) []byte
}

// table lists the formats in documented order.
var table = []row{
	{JSON, "application/json", ".json", []string{"application/*", "*/*"}, 0, false, nil},
	{Text, "text/plain", ".txt", []string{"text/*"}, 4, false, text},
	{SRT, "text/srt", ".srt", []string{"application/x-subrip"}, 3, true, srt},
	{WebVTT, "text/vtt", ".vtt", nil, 2, true, webvtt},
	{DFXP, "application/ttaf+xml", ".dfxp", []string{"application/ttml+xml"}, 1, true, dfxp},
}

// All lists all formats, Formats those that this package renders, and Delivered those of analytics bodies, in the order
// of the original service.
var (
	All       = where(table, func(row) bool { return true })
	Formats   = where(table, func(r row) bool { return r.render != nil })
	Delivered = where(slices.SortedFunc(slices.Values(table), func(a, b row) int {
		return cmp.Compare(a.place, b.place)
	}),
		func(r row) bool { return r.place > 0 })
)

func where(rows []row, wanted func(row) bool) (formats []Format) {
	for _, r := range rows {
		if wanted(r) {
			formats = append(formats, r.name)
		}
	}
	return formats
}

// row returns the row of a format, or an empty one for an unknown format.
func (f Format) row() row {
	i := slices.IndexFunc(table, func(r row) bool { return r.name == f })
	if i < 0 {
		return row{}
	}
	return table[i]
}

// ParseFormat returns the format with this name, ignoring case and surrounding spaces, and whether it exists.
func ParseFormat(name string) (Format, bool) {
	f := Format(strings.ToLower(strings.TrimSpace(name)))
	return f, slices.Contains(All, f)
}

// Accepted returns the format that a media type or range in lower case selects, and whether there is one.
func Accepted(mediaType string) (Format, bool) {
	for _, r := range table {
		if r.contentType == mediaType || slices.Contains(r.aliases, mediaType) {
			return r.name, true
		}
	}
	return "", false
}

// ContentTypes returns the media types of all formats.
func ContentTypes() []string {
	return list.Map(table, func(r row) string { return r.contentType })
}

// ContentType returns the media type of the format, without a charset; all formats are UTF-8.
func (f Format) ContentType() string { return f.row().contentType }

// Extension returns the usual file name extension, with its dot.
func (f Format) Extension() string { return f.row().extension }

// Timed reports whether the format is captions for players, which need a file per recording.
func (f Format) Timed() bool { return f.row().timed }

// Render returns the transcript in one of Formats, UTF-8, ending in a line feed unless it is empty text.
func Render(t *transcript.Transcript, f Format) []byte { return RenderAll(t, []Format{f})[0] }

// RenderAll is Render for several formats, in their order; it computes shared data once.
func RenderAll(t *transcript.Transcript, formats []Format) [][]byte {
	var cues []Cue
	if slices.ContainsFunc(formats, Format.Timed) {
		cues = Cues(t)
	}
	return list.Map(formats, func(f Format) []byte { return f.row().render(t, cues) })
}

// text renders one line per turn, prefixed with the speaker's name if the speakers have names.
func text(t *transcript.Transcript, _ []Cue) []byte {
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
