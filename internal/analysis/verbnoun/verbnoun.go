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
		for _, p := range pairsOf(wordsOf(t, s), g) {
			first, last := &t.Words[min(p.verb, p.noun)], &t.Words[max(p.verb, p.noun)]
			found = append(found, Pair{
				Speaker: s.Speaker, Start: first.Start, End: max(last.End, last.Start), Verb: p.verbBase,
				Noun:    p.nounBase,
				VerbNeg: p.verbNeg, NounNeg: p.nounNeg, Question: p.question,
			})
		}
	}
	return found
}

// said is the words of a sentence.
type said struct {
	words []string // empty for redacted words and for commas, which separate words
	index []int    // in the transcript
	asked bool     // it ends with a question mark
}

func wordsOf(t *transcript.Transcript, s transcript.Sentence) said {
	var all said
	for _, i := range s.Words {
		w := &t.Words[i]
		switch {
		case w.Kind == transcript.Punctuation:
			all.asked = all.asked || strings.Contains(w.Text, "?")
			all.words = append(all.words, "")
		case w.Hidden():
			all.words = append(all.words, hidden)
		default:
			all.words = append(all.words, w.Text)
		}
		all.index = append(all.index, i)
	}
	return all
}

// hidden replaces a redacted word. It can stand where a noun can, and is in no pair.
const hidden = "it"

// pair is a Pair with word indices instead of texts and times.
type pair struct {
	verb, noun         int
	verbBase, nounBase string
	verbNeg, nounNeg   string
	question           bool
}

// pairsOf finds the pairs of a sentence.
func pairsOf(s said, g *tagger.Tagger) []pair {
	if len(s.words) == 0 {
		return nil
	}
	c := clause{parts: partsOf(g.Tag(s.words), g.Lexicon())}
	c.understand()
	var all []pair
	for i := range c.parts {
		v := &c.parts[i]
		for _, n := range v.nouns {
			noun := &c.parts[n]
			all = append(all, pair{
				verb: s.index[v.word], noun: s.index[noun.word], verbBase: v.base, nounBase: noun.base,
				verbNeg: v.neg, nounNeg: noun.neg, question: v.question || s.asked,
			})
		}
	}
	return all
}
