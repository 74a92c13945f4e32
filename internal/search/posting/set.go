package posting

import "math/bits"

// Set is some of the calls of a segment, a bit for each.
type Set []uint64

// NewSet returns an empty set of a segment's calls.
func NewSet(calls int) Set { return make(Set, (calls+63)/64) }

func (s Set) add(call int) bool {
	if call>>6 >= len(s) {
		return false
	}
	s[call>>6] |= 1 << (call & 63)
	return true
}

// And leaves only the calls that another set of the segment has, too.
func (s Set) And(other Set) {
	for i := range s {
		s[i] &= other[i]
	}
}

// Or adds the calls of another set of the segment.
func (s Set) Or(other Set) {
	for i := range s {
		s[i] |= other[i]
	}
}

// Len returns how many calls there are.
func (s Set) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the calls, ascending.
func (s Set) All(yield func(call int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
