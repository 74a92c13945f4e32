package transcript

import (
	"slices"
	"strings"
)

// MarkRedacted is the marker of a word that stands where redaction took others away.
const MarkRedacted = "redacted"

// Redacted reports whether a word is a replacement that redaction has put there: it carries the marker or, in
// transcripts made elsewhere, stands in brackets. Such a word says nothing.
func (w Word) Redacted() bool {
	return slices.Contains(w.Markers, MarkRedacted) || len(w.Text) > 2 && strings.HasPrefix(w.Text, "[") && strings.HasSuffix(w.Text, "]")
}
