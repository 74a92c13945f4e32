package query

import "unicode/utf16"

// Span is a place in a text. Columns and lengths are counted in UTF-16 code units, as editors and JavaScript do.
type Span struct {
	Line, Column int // from 1
	Length       int // may include line feeds; 0 at the end of the text
}

// span returns the place of source[from:to].
func span(source []rune, from, to int) Span {
	s, _ := spanAt(source, from)
	s.Length = units(source[from:to])
	return s
}

// spanAt returns the place of a character, without a length, and the first character of its line.
func spanAt(source []rune, at int) (s Span, begin int) {
	s.Line = 1
	for i, r := range source[:at] {
		if r == '\n' {
			s.Line, begin = s.Line+1, i+1
		}
	}
	s.Column = 1 + units(source[begin:at])
	return s, begin
}

// units returns the length of a text in UTF-16 code units.
func units(text []rune) (n int) {
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
