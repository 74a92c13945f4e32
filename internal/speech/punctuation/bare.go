package punctuation

import (
	"strings"

	"parley/internal/words/transcript"
)

// Thresholds for text without punctuation: fewer than one mark in rare words, counted in the words between two marks
// and in nearby words of the same speaker on each side. Sentences of spontaneous speech have a mark every seven
// words.
const (
	rare   = 25
	nearby = 50
)

// Bare reports for each word whether it is in an unpunctuated stretch; nil if no word is. A stretch is the words of
// one speaker between two marks. It is unpunctuated if there are few marks around it, or if it is longer than any
// sentence. For a speaker with few words, marks are counted in the whole transcript. Only marks that Apply could set
// count: a colon, as in "Speaker 1:", and dashes do not indicate punctuated sentences.
func Bare(t *transcript.Transcript) []bool {
	bare, found := make([]bool, len(t.Words)), false
	all := texts(t)
	words, marked := 0, 0
	for _, s := range all {
		words, marked = words+len(s.places), marked+len(s.marked(t))
	}
	for _, s := range all {
		s.stretches(s.marked(t), func(from, to, around, marks int) {
			if around < rare {
				around, marks = words, marked
			}
			if to-from <= longest && marks*rare >= around {
				return
			}
			for _, at := range s.places[from:to] {
				bare[at], found = true, true
			}
		})
	}
	if !found {
		return nil
	}
	return bare
}

// marked returns the tokens followed by a mark that Apply could have set.
func (s *text) marked(t *transcript.Transcript) []int {
	var all []int
	for i, at := range s.places {
		for k := at + 1; s.given[i] != None && k < len(t.Words); k++ {
			if w := &t.Words[k]; w.Speaker == t.Words[at].Speaker {
				if transcript.EndsSentence(w.Text) || strings.ContainsAny(w.Text, commas) {
					all = append(all, i)
				}
				break
			}
		}
	}
	return all
}

// commas are the commas of all scripts: Latin, Arabic, ideographic, full-width.
const commas = ",،、，"

// stretches calls visit for each run of tokens between marks, with the number of words and marks around it.
func (s *text) stretches(marked []int, visit func(from, to, around, marks int)) {
	for from, first := 0, 0; from < len(s.places); first++ {
		to := len(s.places)
		if first < len(marked) {
			to = marked[first] + 1
		}
		a, b := max(from-nearby, 0), min(to+nearby, len(s.places))
		marks := 0
		for i := first - 1; i >= 0 && marked[i] >= a; i-- {
			marks++
		}
		for i := first; i < len(marked) && marked[i] < b; i++ {
			marks++
		}
		visit(from, to, b-a, marks)
		from = to
	}
}
