package punctuation

import (
	"strings"

	"parley/internal/words/transcript"
)

// How seldom marks are where nobody has set them: fewer than one in rare words, looked for in the words of a stretch
// between two marks and in nearby words of its speaker on each side. Sentences of people who talk have a mark every
// seven words.
const (
	rare   = 25
	nearby = 50
)

// Bare reports of each word whether it lies in a stretch that nobody has punctuated, nil where no word does: what one
// speaker says between two marks, if there are few marks around it, or if it is longer than a sentence can be. Where a
// speaker says little, the whole transcript is looked at. Only marks that restoration could set count: a colon, as
// behind "Speaker 1:", and dashes are no sign of sentences that are marked.
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

// marked returns the tokens behind which a mark stands that restoration could have set.
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

// stretches calls visit for the tokens between marks, with how many words and marks are around them.
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
