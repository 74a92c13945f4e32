package query

import (
	"errors"
	"slices"
	"strings"

	"parley/internal/words/phrase"
)

// errExhausted reports that the budget did not suffice for a lookup.
var errExhausted = errors.New("query: budget exhausted")

// Numbers implements phrase.Lexicon with the words of the conversation. Lookups are charged to the budget.
func (c *Conversation) Numbers(p phrase.Pattern) (all []uint32, err error) {
	if !c.Budget.Spend(workOfLookup) {
		return nil, errExhausted
	}
	if p.Kind == phrase.Exact {
		if n, ok := c.words[p.Text]; ok {
			all = []uint32{n}
		}
		return all, nil
	}
	words := c.sorted()
	first, _ := slices.BinarySearch(words, p.Text)
	for _, word := range words[first:] {
		if !strings.HasPrefix(word, p.Text) {
			break
		}
		all = append(all, c.words[word])
	}
	if !c.Budget.Spend(workOfLookup * len(all)) {
		return nil, errExhausted
	}
	slices.Sort(all)
	return all, nil
}

// workOfLookup is the cost of finding one of a call's words and sorting its number.
const workOfLookup = 20

// set is the set of word numbers that match a place of a phrase: all words (any), a single word (low), or a bit set
// whose first bit is low. If the bit set would take much more memory than the numbers, the sorted numbers are stored
// instead.
type set struct {
	any     bool
	low     uint32
	high    uint32
	bits    []uint64
	numbers []uint32
}

// room is the maximum size of a bit set, in bits per number.
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

// first returns the index of the first word in words[from:] that the set contains, or len(words).
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
