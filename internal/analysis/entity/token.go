package entity

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// token is a word or punctuation mark of a turn.
type token struct {
	numeral.Entry
	word    int    // index in the transcript
	text    string // as written, without punctuation at its end
	form    string // folded, without a possessive ending; empty for punctuation
	mark    bool
	figure  bool // contains a digit
	capital bool // starts with a capital
	opens   bool // starts a sentence
}

// stretch is the tokens of one turn.
type stretch struct {
	gazetteer *Gazetteer
	tokens    []token
	names     []nameMatch // by token
	cased     bool        // the transcript uses capitals, so lower case is evidence
}

// hit is a range of tokens that form an entity.
type hit struct {
	from, to  int // tokens; to is excluded
	kind      Type
	formatted string
	money     *Money
}

// tokens returns the words of a turn. A redacted word becomes a mark, so that no entity spans it.
func tokens(t *transcript.Transcript, words []int) []token {
	all := make([]token, 0, len(words))
	opens := true
	for _, i := range words {
		w := &t.Words[i]
		if w.Kind == transcript.Punctuation || w.Hidden() {
			all = append(all, token{word: i, text: w.Text, mark: true})
			opens = w.Kind == transcript.Punctuation && transcript.EndsSentence(w.Text)
			continue
		}
		text := strings.TrimRight(w.Text, ",;:?!")
		form := fold(text)
		first, _ := utf8.DecodeRuneInString(text)
		figure := strings.ContainsAny(form, "0123456789")
		all = append(all, token{numeral.Lookup(form), i, text, form, form == "", figure, unicode.IsUpper(first), opens})
		opens = false
	}
	return all
}

// fold returns a word in the form used by names and rules.
func fold(text string) string {
	form := strings.TrimSuffix(strings.ReplaceAll(phrase.Fold(text), "’", "'"), "'s")
	if strings.ContainsFunc(form, unicode.IsDigit) {
		return strings.TrimRight(form, ".")
	}
	return strings.ReplaceAll(strings.Trim(form, "."), ".", "")
}

// hasCapitals reports whether some word inside a sentence starts with a capital. It ignores "I" and words that are
// entirely in capitals.
func hasCapitals(t *transcript.Transcript) bool {
	inside := false
	for _, w := range t.Words {
		if first, _ := utf8.DecodeRuneInString(w.Text); inside && unicode.IsUpper(first) && w.Text != "I" &&
			!strings.HasPrefix(w.Text, "I'") && strings.ToUpper(w.Text) != w.Text {
			return true
		}
		inside = w.Kind == transcript.Spoken || w.Kind == transcript.Punctuation && w.Text == ","
	}
	return false
}

// form returns the folded word at i, empty for punctuation and outside the turn.
func (s *stretch) form(i int) string {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].mark {
		return ""
	}
	return s.tokens[i].form
}

// entry returns the numeral entry of the word at i.
func (s *stretch) entry(i int) numeral.Entry {
	if i < 0 || i >= len(s.tokens) {
		return numeral.Entry{}
	}
	return s.tokens[i].Entry
}

func (s *stretch) is(i int, words ...string) bool {
	return slices.Contains(words, s.form(i)) && s.form(i) != ""
}

// figure returns the word at i if it has a digit, else an empty string.
func (s *stretch) figure(i int) string {
	if i < 0 || i >= len(s.tokens) || !s.tokens[i].figure {
		return ""
	}
	return s.tokens[i].form
}

// match returns the submatches of shape in the word at i, which must have a digit; nil if it does not match.
func (s *stretch) match(shape *regexp.Regexp, i int) []string {
	if form := s.figure(i); form != "" {
		return shape.FindStringSubmatch(form)
	}
	return nil
}

// comma returns the index after a comma at i, or i if there is no comma.
func (s *stretch) comma(i int) int {
	if i < len(s.tokens) && s.tokens[i].mark && s.tokens[i].text == "," {
		return i + 1
	}
	return i
}

// ends reports whether the turn ends at i or has a mark there.
func (s *stretch) ends(i int) bool { return i >= len(s.tokens) || s.tokens[i].mark }

// hits returns the entities of a turn from its beginning, without overlaps. At each position the kinds are tried in
// order.
func (s *stretch) hits() []hit {
	var all []hit
	kinds := []func(int) (hit, bool){s.money, s.phone, s.street, s.date, s.clock, s.name, s.number}
	for i := 0; i < len(s.tokens); {
		end := i + 1
		for _, kind := range kinds {
			if s.tokens[i].mark {
				break
			}
			if h, ok := kind(i); ok {
				all = append(all, h)
				end = h.to
				break
			}
		}
		i = end
	}
	return all
}

// entity converts a hit to an entity.
func (s *stretch) entity(t *transcript.Transcript, speaker int, h hit, original spokenWords) Entity {
	var words []int
	for _, tok := range s.tokens[h.from:h.to] {
		words = append(words, tok.word)
	}
	e := Entity{Type: h.kind, Text: t.Text(words), Formatted: h.formatted, Speaker: speaker, Money: h.money,
		Start: t.Words[words[0]].Start}
	for _, i := range words {
		e.End = max(e.End, t.Words[i].End)
	}
	if h.formatted == "" {
		e.Text = strings.TrimSuffix(strings.TrimSuffix(e.Text, "'s"), "’s")
		return e
	}
	if text := original.between(speaker, e.Start, e.End); text != "" && text != s.joined(h.from, h.to) &&
		text != strings.ReplaceAll(e.Text, ",", "") {
		e.Text = text
	}
	return e
}

// spokenWords holds the words of each speaker before numbers were formatted.
type spokenWords struct {
	transcript *transcript.Transcript
	bySpeaker  map[int][]int // spoken words, in order
}

func newSpokenWords(t *transcript.Transcript) spokenWords {
	s := spokenWords{t, map[int][]int{}}
	if t == nil {
		return s
	}
	for i, w := range t.Words {
		if w.Kind == transcript.Spoken {
			s.bySpeaker[w.Speaker] = append(s.bySpeaker[w.Speaker], i)
		}
	}
	return s
}

// between returns the words of a speaker between two times. It is empty if the times are ambiguous: they are all equal,
// or another word overlaps the interval partly.
func (s spokenWords) between(speaker int, from, to time.Duration) string {
	all := s.bySpeaker[speaker]
	if from == to {
		return ""
	}
	first, _ := slices.BinarySearchFunc(all, from, func(i int, at time.Duration) int {
		return cmp.Compare(s.transcript.Words[i].Start, at)
	})
	last := first
	for last < len(all) && s.transcript.Words[all[last]].End <= to && s.transcript.Words[all[last]].Start <= to {
		last++
	}
	if first == last || last < len(all) && s.transcript.Words[all[last]].Start < to {
		return ""
	}
	return s.transcript.Text(all[first:last])
}
