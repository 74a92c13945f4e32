package formatting

import (
	"strings"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

// piece is one word of the result and the tokens that it replaces.
type piece struct {
	text     string // "" for the text of the first token
	from, to int    // token range, to excluded
	comma    bool   // a comma follows
}

// match is a parsed number.
type match struct {
	next   int // position after it
	pieces []piece
}

// rule parses one kind of number at a position. It returns a zero match if there is none.
type rule func(s *sentence, i int) match

// grammar lists the rules. The longest match wins; among equals, the earlier rule.
var grammar = []rule{
	(*sentence).idiom, (*sentence).date, (*sentence).dayOfMonth, (*sentence).price, (*sentence).money,
	(*sentence).percentage, (*sentence).clock, (*sentence).schedule, (*sentence).list, (*sentence).joined,
	(*sentence).code, (*sentence).decade, (*sentence).ordinal, (*sentence).quantity, (*sentence).single,
}

// parse finds the numbers of a sentence from left to right. Each rule examines a bounded number of tokens, so the
// running time is linear.
func (s *sentence) parse(found func(of []token, p piece)) {
	for len(s.rest) > 0 {
		m := s.best()
		for _, p := range m.pieces {
			s.done = append(s.done, s.rewritten(p))
			if p.comma {
				s.done = append(s.done, mark(",", none))
			}
			found(s.rest[p.from:p.to], p)
		}
		if m.next == 0 {
			s.done, m.next = append(s.done, s.rest[0]), 1
		}
		s.rest = s.rest[m.next:]
	}
}

// rewritten returns the token for a piece.
func (s *sentence) rewritten(p piece) token {
	if p.text == "" {
		return s.rest[p.from]
	}
	text := phrase.Fold(p.text)
	return token{entry: classify(text), text: text}
}

// best returns the longest match at the first token.
func (s *sentence) best() match {
	var best match
	if !s.starts(0) {
		return best
	}
	for _, r := range grammar {
		if m := r(s, 0); m.next > best.next {
			best = m
		}
	}
	return s.suffixed(best)
}

// starts reports whether a number can begin at a position.
func (s *sentence) starts(i int) bool {
	switch c := s.at(i).Class; c {
	case numeral.Article:
		return s.at(i+1).Class == numeral.Hundred || s.at(i+1).Class == numeral.Scale
	default:
		return c == numeral.Month || c == numeral.Ordinal || c == numeral.Point || c == numeral.Repeat || s.numeric(i)
	}
}

// suffixed appends the letter of 50k, 401k, 3D and 5G to a plain number.
func (s *sentence) suffixed(m match) match {
	if len(m.pieces) != 1 || !lastDigit(m.pieces[0].text) {
		return m
	}
	p := &m.pieces[0]
	if letter := suffix(p.text, s.at(m.next).text); letter != "" {
		p.text += letter
		p.to++
		m.next++
	}
	return m
}

// suffix returns the letter as written after a number, or "" if it is not a suffix.
func suffix(number, letter string) string {
	switch {
	case letter == "k":
		return "k"
	case letter == "d" && (number == "2" || number == "3"):
		return "D"
	case letter == "g" && (number == "3" || number == "4" || number == "5"):
		return "G"
	}
	return ""
}

func lastDigit(text string) bool {
	return text != "" && text[len(text)-1] >= '0' && text[len(text)-1] <= '9'
}

// one returns the match of a single word.
func one(text string, from, next int) match {
	return match{next, []piece{{text: text, from: from, to: next}}}
}

// idioms are numbers with a special written form.
var idioms = []struct{ spoken, written string }{
	{"twenty four seven", "24/7"},
	{"fifty fifty", "50-50"},
	{"sixty forty", "60-40"},
	{"seventy thirty", "70-30"},
	{"eighty twenty", "80-20"},
	{"ninety ten", "90-10"},
	{"ten four", "10-4"},
	{"seven eleven", "7-Eleven"},
}

func (s *sentence) idiom(i int) match {
	for _, idiom := range idioms {
		if n := s.phrase(i, idiom.spoken); n > i {
			return one(idiom.written, i, n)
		}
	}
	return match{}
}

// phrase returns the position after the words if they are at i, else i.
func (s *sentence) phrase(i int, words string) int {
	n := i
	for word := range strings.FieldsSeq(words) {
		if s.at(n).text != word {
			return i
		}
		n++
	}
	return n
}
