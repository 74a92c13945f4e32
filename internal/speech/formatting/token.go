package formatting

import (
	"strings"
	"time"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// longestPause is the silence within which the parts of one number follow each other.
const longestPause = 3 * time.Second

// token is one word or mark of a turn as the grammar sees it.
type token struct {
	entry
	text string // folded
	word int    // index into Transcript.Words
}

// sentence is one turn: what is read already, numbers as they are written now, and the rest. Positions, which
// the functions of the grammar take and return, count from the rest's first token; what is done lies below 0.
type sentence struct {
	done, rest []token
	buffer     []token // of the rest
	commas     bool    // there are some
	signs      bool    // there are words for signs between numbers
}

// at returns the token at a position, a stop outside the sentence.
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
	text := s.at(i).text
	for _, w := range words {
		if text == w {
			return true
		}
	}
	return false
}

// has reports whether the token at i plays one of the roles.
func (s *sentence) has(i int, r role) bool { return s.at(i).Roles&r != 0 }

// near reports whether one of the n tokens before i plays one of the roles, up to a stop.
func (s *sentence) near(i, n int, r role) bool {
	for j := i - 1; j >= i-n && s.at(j).Class != stop; j-- {
		if s.has(j, r) {
			return true
		}
	}
	return false
}

// numeric reports whether the token at i can be a part of a number, or is one.
func (s *sentence) numeric(i int) bool { return s.at(i).Numeric() }

// read begins a sentence with the words of a turn. A pause or any mark but a comma becomes a stop.
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

// classify returns what a folded word is.
func classify(text string) entry {
	e, ok := lexicon[text]
	if !ok && strings.ContainsAny(text, "0123456789") {
		e.Class = numeral.Figures
	}
	return e
}

// none is the word of a token that stands for a pause.
const none = -1

func mark(text string, word int) token {
	t := token{text: text, word: word}
	if t.Class = stop; text == "," {
		t.Class = comma
	}
	return t
}

// pronouns takes the number out of each one that stands for a thing: one of us, one another.
func (s *sentence) pronouns() {
	for i := range s.rest {
		if s.rest[i].text == "one" && s.is(i+1, "of", "another") {
			s.rest[i].entry = entry{}
		}
	}
}
