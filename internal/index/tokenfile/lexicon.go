package tokenfile

import (
	"slices"

	"parley/internal/words/phrase"
)

// plainBit marks word numbers that represent plain numbers, which are not stored in a lexicon: every call has some that
// occur in no other call, so a lexicon with them would grow without bound.
const plainBit = 1 << 31

// Plain returns the word number of a whole number below 2³¹ without leading zeros.
func Plain(word string) (uint32, bool) {
	if len(word) == 0 || len(word) > 10 || word[0] == '0' && len(word) > 1 {
		return 0, false
	}
	n := uint64(0)
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return 0, false
		}
		n = 10*n + uint64(word[i]-'0')
	}
	return plainBit | uint32(n), n < plainBit
}

// Listed reports whether a word number belongs to a lexicon.
func Listed(number uint32) bool { return number < plainBit }

// Set is the set of word numbers that a pattern matches.
type Set struct {
	any     bool
	numbers []uint32    // ascending
	plain   [][2]uint32 // ranges of plain numbers, both ends inclusive
}

// Resolve returns the words that a pattern matches.
func Resolve(l phrase.Lexicon, p phrase.Pattern) (Set, error) {
	if p.Kind == phrase.Any {
		return Set{any: true}, nil
	}
	n, plain := Plain(p.Text)
	if plain && p.Kind == phrase.Exact {
		return Set{numbers: []uint32{n}}, nil
	}
	numbers, err := l.Numbers(p)
	s := Set{numbers: numbers}
	if plain {
		s.plain = beginning(uint64(n - plainBit))
	}
	return s, err
}

// beginning returns the plain numbers whose decimal digits begin with those of n.
func beginning(n uint64) (ranges [][2]uint32) {
	for more := uint64(1); n*more < plainBit; more *= 10 {
		last := min(n*more+more-1, plainBit-1)
		ranges = append(ranges, [2]uint32{plainBit | uint32(n*more), plainBit | uint32(last)})
		if n == 0 {
			break // only 0 itself begins with 0
		}
	}
	return ranges
}

// Has reports whether a word is in the set.
func (s *Set) Has(word uint32) bool {
	if s.any || len(s.numbers) == 1 && s.numbers[0] == word {
		return true
	}
	for _, r := range s.plain {
		if word >= r[0] && word <= r[1] {
			return true
		}
	}
	if len(s.numbers) < 2 {
		return false
	}
	_, ok := slices.BinarySearch(s.numbers, word)
	return ok
}

// Empty reports whether no word is in the set.
func (s *Set) Empty() bool { return !s.any && len(s.numbers) == 0 && len(s.plain) == 0 }
