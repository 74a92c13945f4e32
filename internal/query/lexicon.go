package query

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

// glossary is the lexicon of one call.
type glossary map[string]uint32

func (g glossary) number(word string) uint32 {
	n, ok := g[word]
	if !ok {
		n = uint32(len(g))
		g[word] = n
	}
	return n
}

// Numbers implements Lexicon. It returns no errors.
func (g glossary) Numbers(p phrase.Pattern) ([]uint32, error) {
	var all []uint32
	switch n, ok := g[p.Text]; {
	case p.Kind == phrase.Exact && ok:
		return []uint32{n}, nil
	case p.Kind == phrase.Exact:
		return nil, nil
	}
	for word, n := range g {
		if strings.HasPrefix(word, p.Text) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// set is the words that fit a place of a phrase: every word, one, or those whose bits are set from the number low on.
// Where the bits would take much more room than the numbers, these are kept.
type set struct {
	any     bool
	low     uint32
	high    uint32
	bits    []uint64
	numbers []uint32
}

// room is how many bits a number may take.
const room = 512

func newSet(numbers []uint32) set {
	s := set{low: numbers[0], high: numbers[len(numbers)-1]}
	span := int(s.high-s.low) + 1
	switch {
	case len(numbers) == 1:
	case span/room > len(numbers):
		s.numbers = numbers
	default:
		s.bits = make([]uint64, (span+63)/64)
		for _, n := range numbers {
			s.bits[(n-s.low)/64] |= 1 << ((n - s.low) % 64)
		}
	}
	return s
}

func (s *set) has(word uint32) bool {
	switch {
	case s.any:
		return true
	case word < s.low || word > s.high:
		return false
	case s.bits != nil:
		return s.bits[(word-s.low)/64]>>((word-s.low)%64)&1 == 1
	case s.numbers != nil:
		_, ok := slices.BinarySearch(s.numbers, word)
		return ok
	}
	return true
}

// first returns the first of some words, from one on, that is in the set; the number of words where none is.
func (s *set) first(words []uint32, from int) int {
	if s.low == s.high && !s.any {
		for i, w := range words[from:] {
			if w == s.low {
				return from + i
			}
		}
		return len(words)
	}
	for from < len(words) && !s.has(words[from]) {
		from++
	}
	return from
}
