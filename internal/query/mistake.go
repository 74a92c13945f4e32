package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"parley/internal/words/fault"
)

// Mistake is one mistake in a text and its position.
type Mistake struct {
	Span
	Message  string   // what is wrong, what was expected, and the nearest known name
	Expected []string // what could stand there; keywords and signs as they are written, other things in words
	Nearest  string   // the text to put in place of the wrong part; empty for none
	Excerpt  string   // the line around the position
	Caret    string   // padding and a ^ under the position

	at, to int // characters of the wrong part; to is 0 for the token at at
}

// Error holds all mistakes of a text in order of position. There is at least one.
type Error struct{ Mistakes []Mistake }

// Error joins the mistakes, each with its position, its line and a caret.
func (e *Error) Error() string {
	all := make([]string, len(e.Mistakes))
	for i, m := range e.Mistakes {
		all[i] = m.String()
	}
	return strings.Join(all, "\n")
}

// Problems returns the mistakes as problems of a request. Each message begins with place.
func (e *Error) Problems(place string) []fault.Problem {
	return mapped(e.Mistakes, func(m Mistake) fault.Problem {
		return fault.Problem{Code: fault.CodeQuery, Message: place + m.String(), Place: &fault.Place{
			Line: m.Line, Column: m.Column, Length: m.Length, Expected: m.Expected, Nearest: m.Nearest}}
	})
}

// String formats the mistake with its position, its line and a caret under the position.
func (m Mistake) String() string {
	return fmt.Sprintf("line %d, column %d: %s\n  %s\n  %s", m.Line, m.Column, m.Message, m.Excerpt, m.Caret)
}

// mistakes are the mistakes of one text, in the order of their detection.
type mistakes []Mistake

// report records a mistake at a character of a text, up to maxMistakes. What was expected and how to correct it are
// those of its arguments that are of the types choice and fix.
func (m *mistakes) report(source []rune, at int, format string, args ...any) {
	if m.full() {
		return
	}
	one := mistake(source, at, fmt.Sprintf(format, args...))
	for _, a := range args {
		switch a := a.(type) {
		case choice:
			one.Expected = append(one.Expected, a...)
		case fix:
			one.Nearest, one.to = a.put, a.to
		}
	}
	*m = append(*m, one)
}

// choice is what could stand at the position of a mistake.
type choice []string

// String formats the choice for a message.
func (c choice) String() string { return fault.Choice(c) }

// fix is the end of a message that says how to correct the mistake.
type fix struct {
	text string // the end of the message
	put  string // the text to put in place of the wrong part; empty for none
	to   int    // the character after the wrong part; 0 for the token at the position
}

// String returns the end of the message.
func (f fix) String() string { return f.text }

func (m mistakes) full() bool { return len(m) >= maxMistakes }

// err returns the mistakes in order of position, only the first one at each position, with the lengths of the wrong
// parts; nil if there are none.
func (m mistakes) err(source []rune, tokens []token) error {
	if len(m) == 0 {
		return nil
	}
	for i := range m {
		m[i].Length = units(source[m[i].at:m[i].end(len(source), tokens)])
	}
	place := func(a, b Mistake) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) }
	slices.SortStableFunc(m, place)
	m = slices.CompactFunc(m, func(a, b Mistake) bool { return place(a, b) == 0 })
	return &Error{m[:min(len(m), maxMistakes)]}
}

// mistaken returns a mistake of the whole text.
func mistaken(source []rune, message string) error {
	m := mistake(source, 0, message)
	m.Length = units(source)
	return &Error{[]Mistake{m}}
}

// Limits of error messages.
const (
	maxMistakes = 20
	around      = 60 // characters of a line on each side of the position
	maxQuoted   = 40 // characters of the quoted text
)

// mistake returns a Mistake at a character of a text.
func mistake(text []rune, at int, message string) Mistake {
	m := Mistake{Message: message, at: at}
	begin := 0
	m.Span, begin = spanAt(text, at)
	end := at
	for end < len(text) && text[end] != '\n' && end < at+around {
		end++
	}
	begin = max(begin, at-around)
	m.Excerpt = strings.Map(visible, string(text[begin:end]))
	m.Caret = strings.Repeat(" ", at-begin) + "^"
	return m
}

// end returns the character after the wrong part. The last token is the end of the text, or of what was read of it.
func (m *Mistake) end(length int, tokens []token) int {
	if m.to > 0 {
		return m.to
	}
	i, ok := slices.BinarySearchFunc(tokens, m.at, func(t token, at int) int { return cmp.Compare(t.at, at) })
	if !ok || tokens[i].kind == ending {
		return length
	}
	return tokens[i].to
}

// visible replaces characters that would break the line or have no width, so that the caret lines up.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// quoted quotes a piece of a text for a message.
func quoted(text string) string {
	return "`" + strings.Map(visible, fault.Clip(text, maxQuoted)) + "`"
}
