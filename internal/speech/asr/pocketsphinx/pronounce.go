package pocketsphinx

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// pronouncer determines pronunciations: from the dictionary, from parts of the word in it, from espeak-ng, or from
// the spelling.
type pronouncer struct {
	dictionary func(word string) []string // phones of each variant; nil for an unknown word
	synthesise func(ctx context.Context, words []string) map[string]string
	said       map[string]string // results of synthesise
}

// learn pronounces all words missing from the dictionary with one call of synthesise.
func (p *pronouncer) learn(ctx context.Context, phrases []string) {
	unknown := map[string]bool{}
	for _, phrase := range phrases {
		for _, w := range spokenWords(phrase) {
			if p.known(w) == nil {
				unknown[strings.ToLower(w)] = true
			}
		}
	}
	p.said = p.synthesise(ctx, slices.Collect(maps.Keys(unknown)))
}

// phrase returns the pronunciations of a phrase, or none if one of its words cannot be pronounced. Only a single-word
// phrase can have several.
func (p *pronouncer) phrase(phrase string) []string {
	words := spokenWords(phrase)
	if len(words) == 1 {
		return p.word(words[0])
	}
	var phones []string
	for _, w := range words {
		ways := p.word(w)
		if len(ways) == 0 {
			return nil
		}
		phones = append(phones, ways[0])
	}
	if len(phones) == 0 {
		return nil
	}
	return []string{strings.Join(phones, " ")}
}

func (p *pronouncer) word(word string) []string {
	if ways := p.known(word); ways != nil {
		return ways
	}
	lower := strings.ToLower(word)
	if phones := cmp.Or(p.said[lower], byLetters(lower)); phones != "" {
		return []string{phones}
	}
	return nil
}

// known looks up a word: as written, as an acronym, or as two words written together.
func (p *pronouncer) known(word string) []string {
	lower := strings.ToLower(word)
	if ways := p.dictionary(lower); ways != nil {
		return ways
	}
	if phones := p.letters(word); phones != "" {
		return []string{phones}
	}
	const shortest = 4 // letters of a part; shorter words occur within most others
	for i := shortest; i <= len(lower)-shortest; i++ {
		first, second := p.dictionary(lower[:i]), p.dictionary(lower[i:])
		if first != nil && second != nil {
			return []string{first[0] + " " + second[0]}
		}
	}
	return nil
}

// letters spells out a word in capitals that is short or has no vowel.
func (p *pronouncer) letters(word string) string {
	if word != strings.ToUpper(word) || len(word) > 5 && strings.ContainsAny(word, "AEIOUY") {
		return ""
	}
	var phones []string
	for _, r := range strings.ToLower(word) {
		ways := p.dictionary(string(r) + ".")
		if len(ways) == 0 {
			return ""
		}
		phones = append(phones, ways[0])
	}
	return strings.Join(phones, " ")
}

var digitNames = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

// spokenWords splits a phrase into words at spaces, marks and inner capitals, and spells digits as words.
func spokenWords(phrase string) []string {
	phrase = camel.ReplaceAllString(strings.ReplaceAll(phrase, "’", "'"), "$1 $2")
	var b strings.Builder
	for _, r := range phrase {
		switch {
		case r >= '0' && r <= '9':
			b.WriteString(" " + digitNames[r-'0'] + " ")
		case r == '&':
			b.WriteString(" and ")
		case unicode.IsLetter(r) || r == '\'':
			b.WriteRune(r)
		case r == '.': // A.B.C. is ABC
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}
