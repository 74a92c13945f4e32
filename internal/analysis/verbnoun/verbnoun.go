// Package verbnoun finds what is done in a conversation, as pairs of a verb and a noun: "cancel" and "account" in "i
// would like to cancel my account".
//
// The noun is what the verb is done to; where there is none, who or what does it, and else what it is about ("talk to a
// supervisor"). It is found by rules over the kinds of words (package tagger), without punctuation and capitals. It
// knows English only, and sums nothing up.
package verbnoun

import (
	"strings"
	"time"

	"parley/internal/analysis/tagger"
	"parley/internal/words/transcript"
)

// Request says who tells the kinds of words.
type Request struct{ Tagger *tagger.Tagger }

// Pair is a verb with a noun.
type Pair struct {
	Speaker    int           // index into Transcript.Speakers
	Start, End time.Duration // from the beginning of the first of both to the end of the last
	Verb, Noun string        // base forms, folded
	VerbNeg    string        // what denies the verb: not, never, hardly, …; empty for nothing
	NounNeg    string        // what denies the noun: no, neither; empty for nothing
	Question   bool          // it is asked
}

// Find returns the pairs of a transcript in the order of its turns. Words that stand for what must not be known are in
// no pair.
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
	words []string // empty for what must not be known and for commas, which words stand apart by
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

// hidden stands for a word of which nobody must know anything. It stands where a noun might, and is in no pair.
const hidden = "it"

// pair is a Pair by the places of its words in the transcript.
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
