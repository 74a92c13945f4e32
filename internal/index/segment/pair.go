package segment

import (
	"parley/internal/index/tokenfile"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// Pairs of consecutive words in a turn are indexed by a hash of their numbers: for a phrase of common words, few calls
// contain the pairs. The section is stored like that of the postings, with one list per hash value. The number of hash
// values is a power of two.

// The number of hash values: per call, minimum and maximum.
const (
	pairsACall = 64
	leastPairs = 64
	mostPairs  = 1 << 18
)

// hashesOf returns the number of hash values for so many calls.
func hashesOf(calls int) int {
	n := leastPairs
	for n < calls*pairsACall && n < mostPairs {
		n *= 2
	}
	return n
}

// addPairs adds the present call to the lists of its pairs.
func (p *postings) addPairs(file *tokenfile.File) {
	for _, part := range file.Parts {
		for i := part.From; i+1 < part.To; i++ {
			p.add(uint32(hash(file.Words[i], file.Words[i+1], len(p.last))))
		}
	}
}

// hash returns a number below n, which must be a power of two.
func hash(a, b uint32, n int) int {
	x := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15
	return int((x ^ x>>29) >> 20 & uint64(n-1))
}

// following returns the calls in which a word follows another one, possibly with false positives.
func (s *Segment) following(first, second phrase.Pattern) callset.Set {
	set := callset.New(s.calls)
	a, _ := s.Numbers(first)
	b, _ := s.Numbers(second)
	if len(a) == 1 && len(b) == 1 {
		s.list(pairsAt, hash(a[0], b[0], s.hashes), set)
	}
	return set
}
