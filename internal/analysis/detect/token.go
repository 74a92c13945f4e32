package detect

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/list"
	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// token is one word, or one part of a word that contains numbers, as the detectors see it.
type token struct {
	entry
	text   string // folded, without punctuation at its ends
	figure figure // of class figures
	word   int    // index into Transcript.Words
	turn   int
	ends   bool // a sentence ends after it
}

// call is the tokens of a transcript, turn by turn.
type call struct {
	t       *transcript.Transcript
	tokens  []token // in the order of their turns
	turns   []span  // tokens of each turn
	cues    []cue   // in their order
	english bool
	spare   int // tokens that joined words may still add
}

// span is a range of tokens; to is excluded.
type span struct{ from, to int }

// read splits the words of a transcript into tokens. If the language is not English, it reads figures only.
func read(t *transcript.Transcript, english bool) *call {
	c := &call{t: t, tokens: make([]token, 0, len(t.Words)), english: english, spare: mostParts}
	for n, turn := range t.Turns() {
		from := len(c.tokens)
		texts := list.Map(turn.Words, func(i int) string { return t.Words[i].Text })
		numeral.Plain(texts, english)
		for k, i := range turn.Words {
			w, text := &t.Words[i], texts[k]
			if w.Kind == transcript.Punctuation || !strings.ContainsFunc(text, meant) {
				if last := len(c.tokens) - 1; last >= from && transcript.EndsSentence(w.Text) {
					c.tokens[last].ends = true
				}
				continue
			}
			c.append(text, i, n)
		}
		c.turns = append(c.turns, span{from, len(c.tokens)})
		c.fillers(c.turns[n])
	}
	return c
}

// meant reports whether a symbol carries meaning and is not only punctuation.
func meant(r rune) bool {
	mark := unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.In(r, unicode.Sm, unicode.Sk)
	return !mark || strings.ContainsRune("%&@", r)
}

// append adds the tokens of a word.
func (c *call) append(word string, at, turn int) {
	text := strings.Trim(phrase.Fold(word), ".,?!;:\"“”()[]")
	e, known := lexicon[text]
	if !c.english {
		e = entry{}
	}
	t := token{entry: e, text: text, word: at, turn: turn, ends: strings.HasSuffix(word, ".") ||
		strings.HasSuffix(word, "?")}
	if strings.HasPrefix(word, "[") {
		t.Roles |= stop // placeholder of redacted words
	}
	ordinal, isOrdinal := numeral.ReadOrdinal(text)
	switch {
	case c.mail(word, at, turn), c.split(word, at, turn), c.unglue(word, at, turn), !known && c.joined(text, at, turn):
		c.tokens[len(c.tokens)-1].ends = t.ends
		return
	case c.english && isOrdinal && len(ordinal) <= 2:
		t.Class, t.Value = numeral.Ordinal, number(ordinal)
	case strings.ContainsAny(text, "0123456789@"):
		t.Class, t.figure = numeral.Figures, readFigure(strings.Trim(word, ".,?!;:\"“”"))
	}
	c.tokens = append(c.tokens, t)
}

// glued matches numbers and their labels in one word: 788-0631-office,770-0639-fax.
var glued = regexp.MustCompile(`^\W*\d[\d()+-]{1,}-[a-z]{3,}(\W+\d[\d()+-]{3,})?(-[a-z]{3,})?$`)

// gluedPart matches one number or label of such a word.
var gluedPart = regexp.MustCompile(`[a-z]+|\W*\d[\d()+-]*`)

// split adds the tokens of a word that holds both numbers and words.
func (c *call) split(word string, at, turn int) bool {
	if len(word) < 6 || !strings.ContainsAny(word, "0123456789") || !glued.MatchString(phrase.Fold(word)) {
		return false
	}
	for _, part := range gluedPart.FindAllString(phrase.Fold(word), -1) {
		t := token{text: part, word: at, turn: turn}
		if part[0] < 'a' {
			t.Class, t.figure = numeral.Figures, readFigure(strings.Trim(part, "-,\\"))
		}
		c.tokens = append(c.tokens, t)
	}
	return true
}

// figureRun matches digits with any characters but letters between them.
var figureRun = regexp.MustCompile(`\d(?:[^\p{L}\d]*\d)*`)

// mail adds the tokens of an email address: those of a number in its mailbox, and the address.
func (c *call) mail(word string, at, turn int) bool {
	if !strings.Contains(word, "@") {
		return false
	}
	text := strings.Trim(word, ".,?!;:\"“”")
	address := readFigure(text)
	if address.form != email {
		return false
	}
	box, host, _ := strings.Cut(word, "@")
	f := readFigure(box)
	switch {
	case f.digits != "" && len(f.digits) < shortestPhone && !strings.ContainsFunc(box, unicode.IsLetter):
		f.form, f.loose = mailbox, true
		c.figure(box, f, at, turn)
	case c.unglue(box, at, turn):
	case len(f.digits) >= shortestPhone && f.form != mixed:
		f.form = code
		c.figure(box, f, at, turn)
	default:
		c.joined(phrase.Fold(box), at, turn)
	}
	c.unglue(host, at, turn)
	c.figure(phrase.Fold(text), address, at, turn)
	return true
}

// shortestPhone is the minimum number of digits of a telephone number.
const shortestPhone = 7

// figure adds a token in figures.
func (c *call) figure(text string, f figure, at, turn int) {
	t := token{text: text, figure: f, word: at, turn: turn}
	t.Class = numeral.Figures
	c.tokens = append(c.tokens, t)
}

// unglue adds the tokens of a word of letters and digits if some of the digits have the shape of a number:
// visa4929138134243334, ssn123-45-6789.
func (c *call) unglue(word string, at, turn int) bool {
	if len(word) <= shortestShape || !strings.ContainsAny(word, "0123456789") ||
		!strings.ContainsFunc(word, unicode.IsLetter) {
		return false
	}
	runs := figureRun.FindAllStringIndex(word, -1)
	if !slices.ContainsFunc(runs, func(r []int) bool { return shaped(readFigure(word[r[0]:r[1]])) }) {
		return false
	}
	end := 0
	for _, r := range append(runs, []int{len(word), len(word)}) {
		text := strings.TrimFunc(phrase.Fold(word[end:r[0]]), func(r rune) bool { return !unicode.IsLetter(r) })
		if text != "" {
			e := entry{Roles: lexicon[text].Roles}
			c.tokens = append(c.tokens, token{entry: e, text: text, word: at, turn: turn})
		}
		if run := word[r[0]:r[1]]; run != "" {
			f := readFigure(run)
			f.form = code
			c.figure(run, f, at, turn)
		}
		end = r[1]
	}
	return true
}

// shortestShape is the minimum number of digits of a number that is recognised by its shape.
const shortestShape = 9

// shaped reports whether digits are grouped like a social security or telephone number, or some of the groups form a
// valid number of a payment card.
func shaped(f figure) bool {
	if f.groups == "324" || f.groups == "334" || f.groups == "1334" {
		return true
	}
	var parts []string
	rest := f.digits
	for i := range len(f.groups) {
		n := int(f.groups[i] - '0')
		parts, rest = append(parts, rest[:n]), rest[n:]
	}
	return checked(parts)
}

// at returns the token at i, or an empty token outside the call.
func (c *call) at(i int) *token {
	if i < 0 || i >= len(c.tokens) {
		return &token{turn: -1}
	}
	return &c.tokens[i]
}

// inTurn returns the token at i if it belongs to the turn, else an empty token.
func (c *call) inTurn(i, turn int) *token {
	if t := c.at(i); t.turn == turn {
		return t
	}
	return &token{turn: -1}
}

func (c *call) start(token int) time.Duration { return c.t.Words[c.tokens[token].word].Start }
func (c *call) end(token int) time.Duration   { return c.t.Words[c.tokens[token].word].End }
func (c *call) speaker(token int) int         { return c.t.Words[c.tokens[token].word].Speaker }

// is reports whether a token has one of the roles.
func (t *token) is(r role) bool { return t.Roles&r != 0 }
