package detect

import (
	"regexp"
	"strings"
	"time"

	"parley/internal/phrase"
	"parley/internal/transcript"
)

// token is one word, or one part of a word with hyphens that are numbers, as the detectors see it.
type token struct {
	entry
	text   string // folded, without marks at its ends
	figure figure // of class figures
	word   int    // index into Transcript.Words
	turn   int
	ends   bool // a sentence ends behind it
}

// call is what was said, turn by turn.
type call struct {
	t       *transcript.Transcript
	tokens  []token // in the order of their turns
	turns   []span  // tokens of each turn
	cues    []cue   // in their order
	english bool
}

// span is a stretch of tokens, to not included.
type span struct{ from, to int }

// read takes the words of a transcript apart. Outside English only figures are looked at.
func read(t *transcript.Transcript, english bool) *call {
	c := &call{t: t, tokens: make([]token, 0, len(t.Words)), english: english}
	for n, turn := range t.Turns() {
		from := len(c.tokens)
		for _, i := range turn.Words {
			w := &t.Words[i]
			if w.Kind == transcript.Punctuation {
				if k := len(c.tokens) - 1; k >= from && strings.ContainsAny(w.Text, ".?!") {
					c.tokens[k].ends = true
				}
				continue
			}
			c.append(w.Text, i, n)
		}
		c.turns = append(c.turns, span{from, len(c.tokens)})
	}
	return c
}

// append adds the tokens of a word.
func (c *call) append(word string, at, turn int) {
	text := strings.Trim(phrase.Fold(word), ".,?!;:\"“”()[]")
	e, known := lexicon[text]
	if !c.english {
		e = entry{}
	}
	t := token{entry: e, text: text, word: at, turn: turn, ends: strings.HasSuffix(word, ".") || strings.HasSuffix(word, "?")}
	if strings.HasPrefix(word, "[") {
		t.roles |= stop // stands for words that were taken out
	}
	switch {
	case c.split(word, at, turn):
		return
	case c.english && dayShape.MatchString(text):
		t.class, t.value = ordinal, number(text[:len(text)-2])
	case strings.ContainsAny(text, "0123456789@"):
		t.class, t.figure = figures, readFigure(strings.Trim(word, ".,?!;:\"“”"))
	case known || !strings.Contains(text, "-"):
	case c.english && c.parts(text, at, turn):
		return
	}
	c.tokens = append(c.tokens, t)
}

// dayShape is an ordinal in figures.
var dayShape = regexp.MustCompile(`^\d{1,2}(st|nd|rd|th)$`)

// glued is numbers and what they are in one word: 788-0631-office,770-0639-fax.
var glued = regexp.MustCompile(`^\W*\d[\d()+-]{1,}-[a-z]{3,}(\W+\d[\d()+-]{3,})?(-[a-z]{3,})?$`)

// gluedPart is a number or a word of it.
var gluedPart = regexp.MustCompile(`[a-z]+|\W*\d[\d()+-]*`)

// split adds the tokens of a word that has numbers and words in it.
func (c *call) split(word string, at, turn int) bool {
	if len(word) < 6 || !strings.ContainsAny(word, "0123456789") || !glued.MatchString(phrase.Fold(word)) {
		return false
	}
	for _, part := range gluedPart.FindAllString(phrase.Fold(word), -1) {
		t := token{text: part, word: at, turn: turn}
		if part[0] < 'a' {
			t.class, t.figure = figures, readFigure(strings.Trim(part, "-,\\"))
		}
		c.tokens = append(c.tokens, t)
	}
	return true
}

// parts adds the tokens of a word such as four-one-two, if all its parts are numbers.
func (c *call) parts(text string, at, turn int) bool {
	parts := strings.Split(text, "-")
	for _, part := range parts {
		if cl := lexicon[part].class; cl == other || cl == misheard {
			return false
		}
	}
	for _, part := range parts {
		c.tokens = append(c.tokens, token{entry: lexicon[part], text: part, word: at, turn: turn})
	}
	return true
}

// at returns a token, one that is nothing outside the call.
func (c *call) at(i int) *token {
	if i < 0 || i >= len(c.tokens) {
		return &token{turn: -1}
	}
	return &c.tokens[i]
}

// inTurn returns a token if it belongs to the turn, else one that is nothing.
func (c *call) inTurn(i, turn int) *token {
	if t := c.at(i); t.turn == turn {
		return t
	}
	return &token{turn: -1}
}

func (c *call) start(token int) time.Duration { return c.t.Words[c.tokens[token].word].Start }
func (c *call) end(token int) time.Duration   { return c.t.Words[c.tokens[token].word].End }
func (c *call) speaker(token int) int         { return c.t.Words[c.tokens[token].word].Speaker }

// is reports whether a token plays one of the roles.
func (t *token) is(r role) bool { return t.roles&r != 0 }
