package transcript

import "strings"

// Hidden reports whether a word is a placeholder for redacted content: it is Redacted or, in imported transcripts, in
// brackets such as "[PII]". It is not a word of the language.
func (w Word) Hidden() bool {
	return w.Kind == Redacted || w.Kind == Spoken && len(w.Text) > 2 && strings.HasPrefix(w.Text, "[") &&
		strings.HasSuffix(w.Text, "]")
}
