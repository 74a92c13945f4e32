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
	Line, Column int    // of the position, in characters, from 1
	Message      string // what is wrong, what was expected, and the nearest known name
	Excerpt      string // the line around the position
	Caret        string // padding and a ^ under the position
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

// String formats the mistake with its position, its line and a caret under the position.
func (m Mistake) String() string {
	return fmt.Sprintf("line %d, column %d: %s\n  %s\n  %s", m.Line, m.Column, m.Message, m.Excerpt, m.Caret)
}

// mistakes are the mistakes of one text, in the order of their detection.
type mistakes []Mistake

// report records a mistake at a character of a text, up to maxMistakes.
func (m *mistakes) report(source []rune, at int, format string, args ...any) {
	if !m.full() {
		*m = append(*m, mistake(source, at, fmt.Sprintf(format, args...)))
	}
}

func (m mistakes) full() bool { return len(m) >= maxMistakes }

// err returns the mistakes in order of position, only the first one at each position; nil if there are none.
func (m mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	place := func(a, b Mistake) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) }
	slices.SortStableFunc(m, place)
	m = slices.CompactFunc(m, func(a, b Mistake) bool { return place(a, b) == 0 })
	return &Error{m[:min(len(m), maxMistakes)]}
}

// Limits of error messages.
const (
	maxMistakes = 20
	around      = 60 // characters of a line on each side of the position
	maxQuoted   = 40 // characters of the quoted text
)

// mistake returns a Mistake at a character of a text.
func mistake(text []rune, at int, message string) Mistake {
	m := Mistake{Line: 1, Message: message}
	begin := 0
	for i, r := range text[:at] {
		if r == '\n' {
			m.Line, begin = m.Line+1, i+1
		}
	}
	m.Column = at - begin + 1
	end := at
	for end < len(text) && text[end] != '\n' && end < at+around {
		end++
	}
	begin = max(begin, at-around)
	m.Excerpt = strings.Map(visible, string(text[begin:end]))
	m.Caret = strings.Repeat(" ", at-begin) + "^"
	return m
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
