// Package callset has sets of the calls of a segment, which numbers them from 0: a bit for each call.
//
// It does not know what a segment is; packages search/posting and analytics/segment do.
package callset

import "math/bits"

// Set is some of the calls of a segment. Sets that are put together are of the same segment.
type Set []uint64

// New returns the empty set of a segment of so many calls.
func New(calls int) Set { return make(Set, (calls+63)/64) }

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
func (s Set) Has(call int) bool { return s[call>>6]>>(call&63)&1 == 1 }

// Add puts a call into the set.
func (s Set) Add(call int) { s[call>>6] |= 1 << (call & 63) }

// Offer puts a call into the set, unless the segment has no such call.
func (s Set) Offer(call int) bool {
	if call>>6 >= len(s) {
		return false
	}
	s.Add(call)
	return true
}

// Remove takes a call out of the set.
func (s Set) Remove(call int) { s[call>>6] &^= 1 << (call & 63) }

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
	for i := from >> 6; i < len(s); i++ {
		w := s[i]
		if i == from>>6 {
			w &= ^uint64(0) << (from & 63)
		}
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// All yields the calls, ascending. The call that was yielded may be removed meanwhile.
func (s Set) All(yield func(call int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
