package remote

import (
	"cmp"
	"slices"

	"parley/internal/words/vocabulary"
)

// Terms returns the terms of all vocabularies in descending order of weight.
func Terms(vocabularies []vocabulary.Vocabulary) []vocabulary.Term {
	var terms []vocabulary.Term
	for _, v := range vocabularies {
		terms = append(terms, v.Terms...)
	}
	slices.SortStableFunc(terms, func(a, b vocabulary.Term) int { return cmp.Compare(b.Weight, a.Weight) })
	return terms
}

// Fit returns the texts of the first terms, as many as fit into the budget. Each needs the bytes of its text and some
// more.
func Fit(terms []vocabulary.Term, budget, more int) []string {
	var texts []string
	for _, t := range terms {
		if budget -= len(t.Text) + more; budget < 0 {
			break
		}
		texts = append(texts, t.Text)
	}
	return texts
}
