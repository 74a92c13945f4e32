package phrase

import (
	"errors"
	"strings"

	"parley/internal/words/list"
)

// Kind is the kind of words that a Pattern matches.
type Kind uint8

// The kinds.
const (
	Exact  Kind = iota // the word itself
	Prefix             // words with this prefix: written word*
	Any                // every word: written * alone
)

// Pattern matches one word of a phrase. Text is a folded word; it is empty for Any.
type Pattern struct {
	Text string
	Kind Kind
}

// Matches reports whether a folded word matches the pattern.
func (p Pattern) Matches(word string) bool {
	switch p.Kind {
	case Any:
		return true
	case Prefix:
		return strings.HasPrefix(word, p.Text)
	}
	return word == p.Text
}

// String returns the pattern in query syntax.
func (p Pattern) String() string {
	if p.Kind == Exact {
		return p.Text
	}
	return p.Text + "*"
}

// Phrase matches consecutive words, one per place, with up to Slop other words in total between the first and the last.
// It has at least one place.
type Phrase struct {
	Places []Pattern
	Slop   int
}

// Errors of Parse.
var (
	ErrEmpty = errors.New("it contains no word")
	ErrStar  = errors.New("a * is allowed only at the end of a word or alone")
)

// Parse parses a phrase: words, word* for any ending, * for exactly one arbitrary word. Text between white space that
// folds to several words ("follow-up") becomes those words in sequence; text that folds to none is dropped.
func Parse(text string) (Phrase, error) {
	var p Phrase
	for _, chunk := range strings.Fields(text) {
		stem := strings.TrimRight(chunk, "*")
		if strings.Contains(stem, "*") {
			return Phrase{}, ErrStar
		}
		words := Words(stem)
		for _, w := range words {
			p.Places = append(p.Places, Pattern{Text: w})
		}
		switch {
		case stem == "":
			p.Places = append(p.Places, Pattern{Kind: Any})
		case len(stem) < len(chunk) && len(words) > 0:
			p.Places[len(p.Places)-1].Kind = Prefix
		}
	}
	if len(p.Places) == 0 {
		return Phrase{}, ErrEmpty
	}
	return p, nil
}

// String returns the phrase in query syntax, without quotation marks.
func (p Phrase) String() string {
	return strings.Join(list.Map(p.Places, Pattern.String), " ")
}

// Find returns the first match of a phrase with the given number of places in words[from:] as a half-open range, or ok
// false. It returns the leftmost match and, of those that begin there, the shortest. Continuing from its end yields all
// matches without overlaps. match reports whether a word fits a place. Words may be texts or their numbers.
func Find[W any](words []W, from, places, slop int, match func(place int, word W) bool) (start, end int, ok bool) {
	for start = from; start+places <= len(words); start++ {
		if !match(0, words[start]) {
			continue
		}
		if end, ok = End(words, start, places, slop, match); ok {
			return start, end, true
		}
	}
	return 0, 0, false
}

// End returns the end of the shortest match that begins at words[start], which is assumed to fit the first place.
func End[W any](words []W, start, places, slop int, match func(place int, word W) bool) (end int, ok bool) {
	// The earliest fit of each place gives the shortest hit, and only its length counts.
	place, last := 1, min(start+places+slop, len(words))
	for end = start + 1; place < places && end < last; end++ {
		if match(place, words[end]) {
			place++
		}
	}
	return end, place == places
}

// Set returns the words of a list that white space separates, as a set.
func Set(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}
