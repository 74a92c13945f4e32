package formatting

import (
	"slices"
	"strings"
	"time"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// longestPause is the longest silence between the parts of one number.
const longestPause = 3 * time.Second

// token is one word or mark of a turn, as input of the grammar.
type token struct {
	entry
	text string // folded
	word int    // index into Transcript.Words
}

// sentence is the state of parsing one turn: the tokens already processed, with their numbers formatted, and the
// remaining ones. Positions are relative to the first remaining token; processed tokens have negative positions.
type sentence struct {
	done, rest []token
	buffer     []token // of the remaining tokens
	commas     bool    // whether there are commas
	signs      bool    // whether there are words for signs between numbers
}

// at returns the token at a position, or a stop outside of the sentence.
func (s *sentence) at(i int) token {
	switch {
	case i >= 0 && i < len(s.rest):
		return s.rest[i]
	case i < 0 && len(s.done)+i >= 0:
		return s.done[len(s.done)+i]
	}
	return token{entry: entry{Entry: numeral.Entry{Class: stop}}} // a literal, so that the compiler inlines at
}

// is reports whether the token at i is one of the words.
func (s *sentence) is(i int, words ...string) bool {
	return slices.Contains(words, s.at(i).text)
}

// has reports whether the token at i has one of the roles.
func (s *sentence) has(i int, r role) bool { return s.at(i).Roles&r != 0 }

// near reports whether one of the n tokens before i has one of the roles; it does not look beyond a stop.
func (s *sentence) near(i, n int, r role) bool {
	for j := i - 1; j >= i-n && s.at(j).Class != stop; j-- {
		if s.has(j, r) {
			return true
		}
	}
	return false
}

// numeric reports whether the token at i is a number or can be part of one.
func (s *sentence) numeric(i int) bool { return s.at(i).Numeric() }

// read initialises the sentence with the words of a turn. A pause, or any punctuation except a comma, becomes a stop.
func (s *sentence) read(t *transcript.Transcript, turn []int) {
	s.done, s.rest, s.commas, s.signs = s.done[:0], s.buffer[:0], false, false
	var last time.Duration
	for n, i := range turn {
		w := &t.Words[i]
		if w.Kind == transcript.Punctuation {
			s.rest = append(s.rest, mark(w.Text, i))
			s.commas = s.commas || w.Text == ","
			continue
		}
		if n > 0 && w.Start-last >= longestPause {
			s.rest = append(s.rest, mark("", none))
		}
		last = w.End
		if w.Kind == transcript.Redacted {
			s.rest = append(s.rest, mark("", i))
			continue
		}
		text := phrase.Fold(w.Text)
		e := classify(text)
		s.rest = append(s.rest, token{e, text, i})
		s.signs = s.signs || e.Roles&sign != 0
	}
	s.buffer = s.rest
	s.pronouns()
}

// classify returns the entry of a folded word.
func classify(text string) entry {
	e, ok := lexicon[text]
	if !ok && strings.ContainsAny(text, "0123456789") {
		e.Class = numeral.Figures
	}
	return e
}

// none is the word index of a token that stands for a pause.
const none = -1

func mark(text string, word int) token {
	t := token{text: text, word: word}
	if t.Class = stop; text == "," {
		t.Class = comma
	}
	return t
}

// pronouns clears the number of each "one" that is a pronoun: one of us, one another.
func (s *sentence) pronouns() {
	for i := range s.rest {
		if s.rest[i].text == "one" && s.is(i+1, "of", "another") {
			s.rest[i].entry = entry{}
		}
	}
}
