// Package tagger determines the part of speech and the base form of each word of a sentence. It is designed for the
// output of recognisers: words in lower case without punctuation.
//
// It does not parse dependencies (package analysis/verbnoun does so for verbs and nouns), and supports English only.
package tagger

import "strings"

// Tag is a part of speech, after Universal Dependencies (Nivre et al., LREC 2020).
type Tag uint8

// The tags. Aux covers all forms of be, have and do and the modal verbs, whatever their function; Part is "to" before a
// verb, "not" and the possessive 's.
const (
	Other Tag = iota
	Noun
	Name // a proper noun
	Verb
	Aux
	Adjective
	Adverb
	Pronoun
	Determiner
	Preposition // including particles, as in "turn on"
	Part
	Number
	And // and, or, but
	Subordinator
	Interjection
	tags
)

var names = [tags]string{"X", "NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV", "PRON", "DET", "ADP", "PART", "NUM",
	"CCONJ", "SCONJ", "INTJ"}

// String returns the name of the tag in Universal Dependencies.
func (t Tag) String() string { return names[t] }

// Token is a word, or one of the words of a contraction: "doesn't" is does and not.
type Token struct {
	Text  string // folded
	Word  int    // index of its word in the sentence
	Tag   Tag
	Kinds Kinds // possible kinds of the form; 0 if unknown
}

// Tagger tags words. It is safe for concurrent use, unless Remembering returned it.
type Tagger struct {
	lexicon *Lexicon
	rows    []row
	memory  map[string]wordInput // nil in taggers that are safe for concurrent use
}

// Tag tags the words of one sentence, or of several whose boundaries are unknown. An empty word, such as a placeholder
// of redacted words, becomes a token with the tag Other.
func (g *Tagger) Tag(words []string) []Token {
	return g.tagAll(Tokens(words))
}

func (g *Tagger) tagAll(tokens []Token) []Token {
	s := g.read(tokens)
	for i := range tokens {
		tokens[i].Tag = s.tag(i)
	}
	return tokens
}

// Remembering returns a tagger that caches words, which makes it fast on a whole call. It is not safe for concurrent
// use.
func (g *Tagger) Remembering() *Tagger {
	return &Tagger{lexicon: g.lexicon, rows: g.rows, memory: map[string]wordInput{}}
}

// Lexicon returns the lexicon of the tagger.
func (g *Tagger) Lexicon() *Lexicon { return g.lexicon }

// ParseTag returns the tag with this name, or Other if there is none.
func ParseTag(name string) Tag {
	for t, n := range names {
		if n == name {
			return Tag(t)
		}
	}
	return Other
}

// closed lists words with only one possible tag.
var closed = closedWords(map[Tag]string{
	Aux: `am is are was were be been being have has had having do does did will would can could shall should may might must`,
	Pronoun: `i you he she it we they me him us them myself yourself himself herself itself ourselves themselves yourselves mine yours hers
		ours theirs who whom something anything nothing everything someone anyone everyone somebody anybody everybody nobody y'all`,
	Determiner:   `my your his its our their the a an every`,
	Part:         `not 's`,
	And:          `and or but nor`,
	Subordinator: `because if whether although though unless while`,
	Interjection: `um uh uhm umm er erm hmm mm mhm okay ok hi hello hey yes yeah yep yup nope bye goodbye please oh ah huh wow`,
	Preposition:  `of with at from into onto without during`,
})

func closedWords(lists map[Tag]string) map[string]Tag {
	all := map[string]Tag{}
	for t, list := range lists {
		for w := range strings.FieldsSeq(list) {
			all[w] = t
		}
	}
	return all
}
