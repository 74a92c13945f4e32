package spot

import (
	"unicode/utf8"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Index is a compiled set of groups: a trie whose edges are the patterns of their phrases, so that all phrases with the
// same beginning are matched together. It is immutable and safe for concurrent use.
type Index struct {
	groups   []Group
	ends     [][]int32        // the node at which each keyword of each group ends; none if it is not a valid phrase
	exact    map[string]int32 // numbers of patterns
	prefixes map[string]int32
	shortest int // in bytes
	longest  int
	nodes    []node // the first is the root
	edges    map[edge]int32
}

const none = -1

type node struct{ ends, goesOn bool }

type edge struct{ from, pattern int32 }

// anything is the number of the pattern that matches every word.
const anything int32 = 0

// NewIndex compiles groups, which must not change afterwards.
func NewIndex(groups []Group) *Index {
	n := 0
	for _, g := range groups {
		n += len(g.Keywords)
	}
	x := &Index{groups: groups, exact: make(map[string]int32, n), prefixes: map[string]int32{},
		nodes: make([]node, 1, n+1), edges: make(map[edge]int32, n)}
	for _, g := range groups {
		ends := make([]int32, len(g.Keywords))
		for i, text := range g.Keywords {
			ends[i] = none
			if p, err := phrase.Parse(text); err == nil {
				ends[i] = x.add(p)
			}
		}
		x.ends = append(x.ends, ends)
	}
	return x
}

// add inserts a phrase and returns the node at which it ends.
func (x *Index) add(p phrase.Phrase) int32 {
	var at int32
	for _, place := range p.Places {
		e := edge{at, x.number(place)}
		next, ok := x.edges[e]
		if !ok {
			next = int32(len(x.nodes))
			x.nodes[at].goesOn = true
			x.nodes = append(x.nodes, node{})
			x.edges[e] = next
		}
		at = next
	}
	x.nodes[at].ends = true
	return at
}

// number returns the number of a pattern, assigning one to a new pattern.
func (x *Index) number(p phrase.Pattern) int32 {
	next := int32(1 + len(x.exact) + len(x.prefixes))
	switch p.Kind {
	case phrase.Any:
		return anything
	case phrase.Prefix:
		if len(x.prefixes) == 0 {
			x.shortest = len(p.Text)
		}
		x.shortest, x.longest = min(x.shortest, len(p.Text)), max(x.longest, len(p.Text))
		return numbered(x.prefixes, p.Text, next)
	}
	return numbered(x.exact, p.Text, next)
}

func numbered(of map[string]int32, text string, next int32) int32 {
	if n, ok := of[text]; ok {
		return n
	}
	of[text] = next
	return next
}

// patterns returns the matching patterns for each folded word of a word of the transcript. Placeholders of redacted
// words match only a lone *.
func (s *search) patterns(w *transcript.Word) [][]int32 {
	if w.Hidden() {
		return [][]int32{{anything}}
	}
	all, ok := s.words[w.Text]
	if !ok {
		for _, folded := range phrase.Words(w.Text) {
			all = append(all, s.fitting(folded))
		}
		s.words[w.Text] = all
	}
	return all
}

// fitting returns the patterns that match a folded word.
func (x *Index) fitting(word string) []int32 {
	fits := []int32{anything}
	if n, ok := x.exact[word]; ok {
		fits = append(fits, n)
	}
	for size := max(x.shortest, 1); size <= min(len(word), x.longest); size++ {
		if size < len(word) && !utf8.RuneStart(word[size]) {
			continue
		}
		if n, ok := x.prefixes[word[:size]]; ok {
			fits = append(fits, n)
		}
	}
	return fits
}
