package phrase

import (
	"slices"
	"strings"
)

// Lexicon maps words to numbers. A number stands for one word; a word without a number does not occur.
type Lexicon interface {
	// Numbers returns the numbers, ascending, of the words that a pattern matches. The pattern is Exact or Prefix.
	Numbers(p Pattern) ([]uint32, error)
}

// Glossary is an in-memory Lexicon of one call. Its numbers begin with 1.
type Glossary map[string]uint32

// Number returns the number of a word, and assigns one to a new word.
func (g Glossary) Number(word string) uint32 {
	n, ok := g[word]
	if !ok {
		n = uint32(len(g)) + 1
		g[word] = n
	}
	return n
}

// Numbers implements Lexicon.
func (g Glossary) Numbers(p Pattern) ([]uint32, error) {
	if n, ok := g[p.Text]; ok && p.Kind == Exact {
		return []uint32{n}, nil
	} else if p.Kind == Exact {
		return nil, nil
	}
	var all []uint32
	for word, n := range g {
		if strings.HasPrefix(word, p.Text) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}
