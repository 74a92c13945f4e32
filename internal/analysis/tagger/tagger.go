// Package tagger says of the words of a sentence what kinds of words they are (noun, verb, …) and what their base forms
// are. It is made for what recognisers hear: words in lower case without punctuation.
//
// It does not say how words depend on each other (package analysis/verbnoun does, for verbs and nouns), and knows
// English only.
package tagger

import "strings"

// Tag is a kind of word, after Universal Dependencies (Nivre et al., LREC 2020).
type Tag uint8

// The tags. Aux are the forms of be, have and do and the modal verbs, whatever they are in the sentence; Part is
// "to" before a verb, "not" and the 's of possessors.
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
	Preposition // particles, as in "turn on", too
	Part
	Number
	And // and, or, but
	Subordinator
	Interjection
	tags
)

var names = [tags]string{"X", "NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV", "PRON", "DET", "ADP", "PART", "NUM",
	"CCONJ", "SCONJ", "INTJ"}

// String is the name of the tag in Universal Dependencies.
func (t Tag) String() string { return names[t] }

// Token is a word, or one of several that a contraction stands for: "doesn't" is does and not.
type Token struct {
	Text  string // folded
	Word  int    // index of the word of the sentence that it is of
	Tag   Tag
	Kinds Kinds // what it can be by its form; 0 where nothing is known of it
}

// Tagger tags words. It may be used by many goroutines, unless it is Remembering.
type Tagger struct {
	lexicon *Lexicon
	rows    []row
	memory  map[string]seen // nil where several goroutines may use it
}

// Tag tags the words of one sentence, or of several if nobody knows where they end. A word that is empty, such as one
// that stands for what must not be known, becomes a token that is Other.
func (g *Tagger) Tag(words []string) []Token {
	tokens := Tokens(words)
	s := g.read(tokens)
	for i := range tokens {
		tokens[i].Tag = s.tag(i)
	}
	return tokens
}

// Remembering returns the tagger with a memory of the words that it has seen, which makes it fast over a whole call. It
// is for one goroutine.
func (g *Tagger) Remembering() *Tagger {
	return &Tagger{lexicon: g.lexicon, rows: g.rows, memory: map[string]seen{}}
}

// Lexicon returns what the tagger knows of words.
func (g *Tagger) Lexicon() *Lexicon { return g.lexicon }

// ParseTag returns the tag of a name, Other if there is none.
func ParseTag(name string) Tag {
	for t, n := range names {
		if n == name {
			return Tag(t)
		}
	}
	return Other
}

// closed are words of which the kind is certain.
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
