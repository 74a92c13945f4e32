// Package ngram estimates n-gram language models from sentences and writes them in the ARPA format.
//
// The estimate is interpolated modified Kneser-Ney smoothing (Chen & Goodman, An empirical study of smoothing
// techniques for language modeling, 1999), pruned by relative entropy (Stolcke, Entropy-based pruning of backoff
// language models, 1998). This package does not read texts and does not recognise speech.
package ngram

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// The marks around a sentence. Start occurs only as context.
const (
	Start = "<s>"
	End   = "</s>"
)

// maxOrder is the maximum length of an n-gram.
const maxOrder = 4

// gram holds the numbers of an n-gram's words, padded with 0.
type gram [maxOrder]int32

// prefix returns the first n words.
func (g gram) prefix(n int) gram {
	clear(g[n:])
	return g
}

// suffix returns all words except the first.
func (g gram) suffix() gram {
	var s gram
	copy(s[:], g[1:])
	return s
}

// entry holds the model values of an n-gram.
type entry struct {
	p       float64 // probability of the last word given the others
	backoff float64 // factor of the shorter context if this n-gram is the context
}

// Model is a back-off model: the probability of a word in a context is that of the longest known n-gram, times the
// back-off factors of the longer contexts. Models are immutable.
type Model struct {
	words  []string // by number; entry 0 is not a word
	number map[string]int32
	tables []map[gram]entry // by n-gram length, from 1
}

// Config holds the parameters of Estimate.
type Config struct {
	Order int     // longest n-gram, 1 to 4
	Prune float64 // drop n-grams whose removal raises the perplexity by less than this share; 0 keeps all
	// Known reports whether a word is in the vocabulary. Sentences are split at other words, so no n-gram contains
	// them. Nil accepts all words.
	Known func(word string) bool
}

// Estimate returns the model of sentences, given without marks.
func Estimate(sentences [][]string, c Config) *Model {
	t := newCounter(min(max(c.Order, 1), maxOrder), c.Known)
	for _, s := range sentences {
		t.add(s)
	}
	t.sort()
	m := t.model()
	if c.Prune > 0 {
		m.prune(c.Prune)
	}
	return m
}

// Sizes returns the number of n-grams of each length, from 1.
func (m *Model) Sizes() []int {
	var sizes []int
	for _, t := range m.tables {
		sizes = append(sizes, len(t))
	}
	return sizes
}

// Words returns the words of the model without the marks, the most probable first.
func (m *Model) Words() []string {
	words := slices.DeleteFunc(slices.Clone(m.words[1:]), func(w string) bool { return w == Start || w == End })
	slices.SortStableFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(m.Probability(nil, b), m.Probability(nil, a)), cmp.Compare(a, b))
	})
	return words
}

// Probability returns the probability of a word after a context, whose last word is the nearest; 0 for a word outside
// the vocabulary. Context before an unknown word is ignored.
func (m *Model) Probability(context []string, word string) float64 {
	var g gram
	n := 0
	for _, w := range append(slices.Clone(context[max(len(context)-len(m.tables)+1, 0):]), word) {
		g[n] = m.number[w]
		if n++; g[n-1] == 0 {
			g, n = gram{}, 0
		}
	}
	if n == 0 {
		return 0
	}
	return m.probability(g, n)
}

func (m *Model) probability(g gram, n int) float64 {
	factor := 1.0
	for ; n > 1; g, n = g.suffix(), n-1 {
		if e, known := m.tables[n-1][g]; known {
			return factor * e.p
		}
		if c, known := m.tables[n-2][g.prefix(n-1)]; known {
			factor *= c.backoff
		}
	}
	return factor * m.tables[0][g].p
}

// Perplexity returns the model's perplexity of sentences, and the share of out-of-vocabulary words, which the
// perplexity ignores.
func (m *Model) Perplexity(sentences [][]string) (perplexity, lacking float64) {
	sum, n, lacks := 0.0, 0, 0
	for _, s := range sentences {
		context := []string{Start}
		for _, w := range append(slices.Clone(s), End) {
			if p := m.Probability(context, w); p > 0 {
				sum -= math.Log(p)
				n++
			} else {
				lacks++
			}
			context = append(context, w)
		}
	}
	return math.Exp(sum / float64(max(n, 1))), float64(lacks) / float64(max(n+lacks, 1))
}

// ordered returns the n-grams of a table sorted by their words, for deterministic results.
func ordered[V any](table map[gram]V) []gram {
	return slices.SortedFunc(maps.Keys(table), func(a, b gram) int { return slices.Compare(a[:], b[:]) })
}
