package delivery

import (
	"errors"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// MaxAnswer is the maximum number of bytes of an answer that are stored.
const MaxAnswer = 1024

// Answer returns the part of an answer that is stored: its beginning, converted to UTF-8 if its Content-Type names
// another charset and the bytes are valid in it; otherwise unchanged.
func Answer(contentType string, beginning []byte) []byte {
	kept := beginning[:min(len(beginning), MaxAnswer)]
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["charset"] == "" {
		return kept
	}
	charset, err := htmlindex.Get(parameters["charset"])
	if err != nil {
		return kept
	}
	decoder := xunicode.BOMOverride(charset.NewDecoder())
	text := make([]byte, (utf8.UTFMax+1)*len(kept)+utf8.UTFMax) // upper bound of the output of any decoder
	n, _, err := decoder.Transform(text, kept, len(kept) < MaxAnswer)
	if err != nil && !errors.Is(err, transform.ErrShortSrc) || strings.ContainsRune(string(text[:n]), utf8.RuneError) {
		return kept
	}
	if readable, ok := Text(text[:min(n, MaxAnswer)]); ok {
		return []byte(readable)
	}
	return kept
}

// Text returns a stored answer as text, if it is text: UTF-8 without control characters other than white space. It
// drops a character that the cut at MaxAnswer has split.
func Text(answer []byte) (string, bool) {
	if len(answer) == MaxAnswer {
		last := len(answer) - 1
		for last > len(answer)-utf8.UTFMax && !utf8.RuneStart(answer[last]) {
			last--
		}
		if !utf8.FullRune(answer[last:]) {
			answer = answer[:last]
		}
	}
	for _, r := range string(answer) {
		if unicode.IsControl(r) && !strings.ContainsRune("\t\r\n\f", r) {
			return "", false
		}
	}
	return string(answer), utf8.Valid(answer)
}
