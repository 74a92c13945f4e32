package segment

import (
	"encoding/binary"

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

// pairs are the pairs of a segment under construction.
type pairs struct {
	calls [][]byte // of each hash, as varint differences
	last  []int    // 1 + the latest call of each
}

func newPairs(calls int) *pairs {
	n := leastPairs
	for n < calls*pairsACall && n < mostPairs {
		n *= 2
	}
	return &pairs{make([][]byte, n), make([]int, n)}
}

// add records the pairs of a call.
func (p *pairs) add(call int, file *tokenfile.File) {
	for _, part := range file.Parts {
		for i := part.From; i+1 < part.To; i++ {
			h := hash(file.Words[i], file.Words[i+1], len(p.calls))
			if seen := p.last[h]; seen <= call {
				p.calls[h] = binary.AppendUvarint(p.calls[h], uint64(call-max(seen-1, 0)))
				p.last[h] = call + 1
			}
		}
	}
}

// hash returns a number below n, which must be a power of two.
func hash(a, b uint32, n int) int {
	x := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15
	return int((x ^ x>>29) >> 20 & uint64(n-1))
}

// pairsFit reports whether the length of the section is valid.
func (s *Segment) pairsFit() bool {
	n := s.pairs()
	return n >= leastPairs && n&(n-1) == 0
}

// pairs returns the number of hash values.
func (s *Segment) pairs() int {
	if len(s.section[pairsAt]) < 4 {
		return 0
	}
	return int(min(s.uint32(pairsAt, 0), uint32(len(s.section[pairsAt])))/4) - 1
}

// following returns the calls in which a word follows another one, possibly with false positives.
func (s *Segment) following(first, second phrase.Pattern) callset.Set {
	set := callset.New(s.calls)
	a, _ := s.Numbers(first)
	b, _ := s.Numbers(second)
	if len(a) == 1 && len(b) == 1 {
		s.list(pairsAt, hash(a[0], b[0], s.pairs()), set)
	}
	return set
}
