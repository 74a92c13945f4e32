// Package verbnoun finds the actions in a conversation, as pairs of a verb and a noun: "cancel" and "account" in "i
// would like to cancel my account".
//
// The noun is the object of the verb; without an object, its subject; otherwise the noun of its prepositional phrase
// ("talk to a supervisor"). The package applies rules to parts of speech (package tagger) and needs no punctuation or
// capitals. It supports English only and does not aggregate pairs.
package verbnoun

import (
	"strings"
	"time"

	"parley/internal/analysis/tagger"
	"parley/internal/words/transcript"
)

// Request names the part-of-speech tagger.
type Request struct{ Tagger *tagger.Tagger }

// Pair is a verb and its noun.
type Pair struct {
	Speaker    int           // index into Transcript.Speakers
	Start, End time.Duration // from the beginning of the first of both to the end of the last
	Verb, Noun string        // base forms, folded
	VerbNeg    string        // negation of the verb: not, never, hardly, …; empty if there is none
	NounNeg    string        // negation of the noun: no, neither; empty if there is none
	Question   bool          // it is part of a question
}

// Find returns the pairs of a transcript in the order of its turns. Redacted words are in no pair.
func Find(t *transcript.Transcript, r *Request) []Pair {
	found, g := []Pair{}, r.Tagger.Remembering()
	for _, s := range t.Sentences() {
		found = appendPairs(found, t, s, g)
	}
	return found
}

func appendPairs(found []Pair, t *transcript.Transcript, s transcript.Sentence, g *tagger.Tagger) []Pair {
	words, asked := wordsOf(t, s)
	c := clause{parts: partsOf(g.Tag(words), g.Lexicon())}
	c.understand()
	for i := range c.parts {
		v := &c.parts[i]
		for _, n := range v.nouns {
			noun := &c.parts[n]
			first := &t.Words[s.Words[min(v.word, noun.word)]]
			last := &t.Words[s.Words[max(v.word, noun.word)]]
			found = append(found, Pair{
				Speaker: s.Speaker, Start: first.Start, End: max(last.End, last.Start), Verb: v.base, Noun: noun.base,
				VerbNeg: v.neg, NounNeg: noun.neg, Question: v.question || asked,
			})
		}
	}
	return found
}

// wordsOf returns the words of a sentence, empty for punctuation, which separates words; asked reports whether it
// contains a question mark.
func wordsOf(t *transcript.Transcript, s transcript.Sentence) (words []string, asked bool) {
	for _, i := range s.Words {
		w := &t.Words[i]
		switch {
		case w.Kind == transcript.Punctuation:
			asked = asked || strings.Contains(w.Text, "?")
			words = append(words, "")
		case w.Hidden():
			words = append(words, hidden)
		default:
			words = append(words, w.Text)
		}
	}
	return words, asked
}

// hidden replaces a redacted word. It can stand where a noun can, and is in no pair.
const hidden = "it"
