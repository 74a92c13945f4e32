package tokenfile

import (
	"slices"
	"strings"

	"parley/internal/phrase"
)

// Lexicon says which numbers words have. A number stands for one word; words without a number occur nowhere.
type Lexicon interface {
	// Numbers returns the numbers of the words that a pattern, Exact or Prefix, matches, ascending.
	Numbers(p phrase.Pattern) ([]uint32, error)
}

// Set is the words that a pattern matches, as numbers.
type Set struct {
	any     bool
	numbers []uint32 // ascending
}

// Resolve returns what a pattern matches.
func Resolve(l Lexicon, p phrase.Pattern) (Set, error) {
	if p.Kind == phrase.Any {
		return Set{any: true}, nil
	}
	numbers, err := l.Numbers(p)
	return Set{numbers: numbers}, err
}

// Has reports whether a word is in the set.
func (s *Set) Has(word uint32) bool {
	switch {
	case s.any:
		return true
	case len(s.numbers) == 1:
		return s.numbers[0] == word
	}
	_, ok := slices.BinarySearch(s.numbers, word)
	return ok
}

// Empty reports whether no word is in the set.
func (s *Set) Empty() bool { return !s.any && len(s.numbers) == 0 }

// Glossary is a Lexicon in memory: of a call that is not in the index.
type Glossary map[string]uint32

// Number returns the number of a word, a new one for a new word.
func (g Glossary) Number(word string) uint32 {
	n, ok := g[word]
	if !ok {
		n = uint32(len(g)) + 1
		g[word] = n
	}
	return n
}

// Numbers implements Lexicon.
func (g Glossary) Numbers(p phrase.Pattern) ([]uint32, error) {
	if n, ok := g[p.Text]; ok && p.Kind == phrase.Exact {
		return []uint32{n}, nil
	} else if p.Kind == phrase.Exact {
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
