package transcript

import "strings"

// Hidden reports whether a word stands for what must not be known: it is Redacted or, in transcripts made elsewhere,
// stands in brackets such as "[PII]". It is no word of the language.
func (w Word) Hidden() bool {
	return w.Kind == Redacted || w.Kind == Spoken && len(w.Text) > 2 && strings.HasPrefix(w.Text, "[") &&
		strings.HasSuffix(w.Text, "]")
}
