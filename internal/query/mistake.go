package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Mistake is one thing wrong with a text, and where.
type Mistake struct {
	Line, Column int    // of the place, in characters, from 1
	Message      string // what is wrong, what was expected, and the nearest known name
	Excerpt      string // the line around the place
	Caret        string // what puts a ^ under the place
}

// Error is all that is wrong with a text, in order of the places. It has at least one mistake.
type Error struct{ Mistakes []Mistake }

// Error joins the mistakes, each with its place, its line and a caret.
func (e *Error) Error() string {
	all := make([]string, len(e.Mistakes))
	for i, m := range e.Mistakes {
		all[i] = m.String()
	}
	return strings.Join(all, "\n")
}

// String is the mistake with its place, its line and a caret under the place.
func (m Mistake) String() string {
	return fmt.Sprintf("line %d, column %d: %s\n  %s\n  %s", m.Line, m.Column, m.Message, m.Excerpt, m.Caret)
}

// mistakes are the mistakes of one text, in the order of their detection.
type mistakes []Mistake

// tell notes a mistake at a character of a text, up to maxMistakes.
func (m *mistakes) tell(source []rune, at int, format string, args ...any) {
	if !m.full() {
		*m = append(*m, mistake(source, at, fmt.Sprintf(format, args...)))
	}
}

func (m mistakes) full() bool { return len(m) >= maxMistakes }

// err returns the mistakes in order of their places, the first one of each place; nil for none.
func (m mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	place := func(a, b Mistake) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) }
	slices.SortStableFunc(m, place)
	m = slices.CompactFunc(m, func(a, b Mistake) bool { return place(a, b) == 0 })
	return &Error{m[:min(len(m), maxMistakes)]}
}

// Sizes of what is told.
const (
	maxMistakes = 20
	around      = 60 // characters of a line on each side of the place
	maxQuoted   = 40 // characters of what was found
)

// mistake is what is wrong at a character of a text.
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

// visible keeps an excerpt in one line in which every character takes a place.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// listed joins words as a sentence does: a, b or c.
func listed(conjunction string, words ...string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// quoted is a piece of a text in a message.
func quoted(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		text = string(r[:maxQuoted]) + "…"
	}
	return "`" + strings.Map(visible, text) + "`"
}
