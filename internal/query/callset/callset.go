// Package callset implements sets of the calls of one segment as bit sets: one bit per call, numbered from 0.
//
// It does not depend on segments.
package callset

import "math/bits"

// Set is a set of calls of a segment. Operands of And and Or must belong to the same segment.
type Set []uint64

// New returns an empty set for a segment with the given number of calls.
func New(calls int) Set { return make(Set, (calls+63)/64) }

// Fill adds all calls, numbered from 0 to calls-1, and returns the set.
func (s Set) Fill(calls int) Set {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if rest := calls % 64; rest > 0 {
		s[len(s)-1] = 1<<rest - 1
	}
	return s
}

// Has reports whether the set contains a call.
func (s Set) Has(call int) bool { return s[call>>6]>>(call&63)&1 == 1 }

// Add adds a call to the set.
func (s Set) Add(call int) { s[call>>6] |= 1 << (call & 63) }

// Offer adds a call to the set and reports true, unless the number is beyond the segment.
func (s Set) Offer(call int) bool {
	if call>>6 >= len(s) {
		return false
	}
	s.Add(call)
	return true
}

// Remove removes a call from the set.
func (s Set) Remove(call int) { s[call>>6] &^= 1 << (call & 63) }

// And intersects the set with o.
func (s Set) And(o Set) {
	for i := range s {
		s[i] &= o[i]
	}
}

// Or adds the calls of o.
func (s Set) Or(o Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Others returns the calls that are not in the set, of so many.
func (s Set) Others(calls int) Set {
	rest := New(calls).Fill(calls)
	for i := range rest {
		rest[i] &^= s[i]
	}
	return rest
}

// Len returns the number of calls in the set.
func (s Set) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the first call of the set that is not less than from, or -1.
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

// Previous returns the last call of the set that is not greater than from, or -1.
func (s Set) Previous(from int) int {
	if from < 0 {
		return -1
	}
	for i := min(from>>6, len(s)-1); i >= 0; i-- {
		w := s[i]
		if i == from>>6 {
			w &= ^uint64(0) >> (63 - from&63)
		}
		if w != 0 {
			return i<<6 + 63 - bits.LeadingZeros64(w)
		}
	}
	return -1
}

// All yields the calls in ascending order. The loop body may remove the yielded call.
func (s Set) All(yield func(call int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
