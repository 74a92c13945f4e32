package segment

import (
	"encoding/binary"
	"math/bits"

	"parley/internal/phrase"
	"parley/internal/query"
)

// Set is some of the calls of a segment.
type Set []uint64

// NewSet returns the empty set of a segment of so many calls.
func NewSet(calls int) Set { return make(Set, (calls+63)/64) }

// Fill makes it the set of all of so many calls.
func (s Set) Fill(calls int) Set {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if rest := calls % 64; rest > 0 {
		s[len(s)-1] = 1<<rest - 1
	}
	return s
}

// Has reports whether a call is in the set.
func (s Set) Has(call int) bool { return s[call/64]>>(call%64)&1 == 1 }

// Add puts a call into the set.
func (s Set) Add(call int) { s[call/64] |= 1 << (call % 64) }

// Remove takes a call out of the set.
func (s Set) Remove(call int) { s[call/64] &^= 1 << (call % 64) }

// And keeps what is in another set, too.
func (s Set) And(o Set) {
	for i := range s {
		s[i] &= o[i]
	}
}

// Or adds what is in another set.
func (s Set) Or(o Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Len is how many calls are in the set.
func (s Set) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the first call of the set from one on, -1 when there is none.
func (s Set) Next(from int) int {
	for i := from / 64; i < len(s); i++ {
		w := s[i]
		if i == from/64 {
			w &= ^uint64(0) << (from % 64)
		}
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// Candidates returns the calls that have the words which a need asks for, nil when it asks for nothing: every call is one.
func (s *Segment) Candidates(n query.Need) Set {
	switch n := n.(type) {
	case query.NeedAll:
		var all Set
		for _, one := range n {
			c := s.Candidates(one)
			switch {
			case c == nil:
			case all == nil:
				all = c
			default:
				all.And(c)
			}
		}
		return all
	case query.NeedSome:
		some := NewSet(s.calls)
		for _, one := range n {
			c := s.Candidates(one)
			if c == nil {
				return nil
			}
			some.Or(c)
		}
		return some
	case query.NeedRun:
		return s.running(n)
	}
	return nil
}

// running returns the calls that have words which follow each other, and maybe some more.
func (s *Segment) running(run query.NeedRun) (all Set) {
	and := func(c Set) {
		if all == nil {
			all = c
		} else {
			all.And(c)
		}
	}
	for i, p := range run {
		before := i > 0 && run[i-1].Kind == phrase.Exact && p.Kind == phrase.Exact
		behind := i+1 < len(run) && run[i+1].Kind == phrase.Exact && p.Kind == phrase.Exact
		switch {
		case before:
			and(s.following(run[i-1], p))
		case !behind: // else it is one of the pair that comes next
			and(s.having(p))
		}
	}
	return all
}

// having returns the calls with a word that a pattern matches.
func (s *Segment) having(p phrase.Pattern) Set {
	set := NewSet(s.calls)
	numbers, _ := s.Numbers(p)
	for _, n := range numbers {
		s.posting(n, set)
	}
	return set
}

// posting adds the calls that have a word.
func (s *Segment) posting(number uint32, set Set) {
	if int(number) >= s.words {
		return
	}
	s.list(postingsAt, int(number), set)
}

// list adds the calls of the n-th list of a section: offsets of the lists, then the lists.
func (s *Segment) list(section, n int, set Set) {
	from, to := s.uint32(section, n), s.uint32(section, n+1)
	if from > to || int(to) > len(s.section[section]) {
		return
	}
	call := uint64(0)
	for list := s.section[section][from:to]; len(list) > 0; {
		d, n := binary.Uvarint(list)
		if n <= 0 || call+d >= uint64(s.calls) {
			return
		}
		call += d
		set.Add(int(call))
		list = list[n:]
	}
}
