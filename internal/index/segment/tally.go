package segment

import (
	"encoding/binary"
	"iter"
	"sort"

	"parley/internal/query"
	"parley/internal/query/callset"
)

// Tally yields the values that some calls have in a column, each with the number of the calls that have it, and removes
// the calls that have one. cast converts values; it may be nil. A value that it makes missing counts as none.
func (s *Segment) Tally(column int, calls callset.Set, cast func(query.Value) query.Value) iter.Seq2[query.Value, int] {
	if cast == nil {
		cast = func(v query.Value) query.Value { return v }
	}
	return func(yield func(query.Value, int) bool) {
		values, n, pairs := s.stored(column)
		counts := make([]int32, n)
		if !s.countPairs(pairs, calls, counts) {
			return
		}
		var found []tallied
		for place := range counts {
			size := valueSize(values)
			if counts[place] > 0 {
				if v := cast(decodeValue(values[:size])); !v.Missing() {
					found = append(found, tallied{v, int(counts[place])})
				} else {
					counts[place] = 0
				}
			}
			values = values[size:]
		}
		for ; len(pairs) > 0; pairs = pairs[4:] {
			call, place := binary.LittleEndian.Uint16(pairs), binary.LittleEndian.Uint16(pairs[2:])
			if counts[place] > 0 {
				calls.Remove(int(call))
			}
		}
		for _, one := range found {
			if !yield(one.value, one.calls) {
				return
			}
		}
	}
}

// tallied is a value with the number of calls that have it.
type tallied struct {
	value query.Value
	calls int
}

// countPairs counts some calls of a column by the place of their value. It reports whether all pairs are valid.
func (s *Segment) countPairs(pairs []byte, calls callset.Set, counts []int32) bool {
	for ; len(pairs) > 0; pairs = pairs[4:] {
		call, place := int(binary.LittleEndian.Uint16(pairs)), int(binary.LittleEndian.Uint16(pairs[2:]))
		if call >= s.calls || place >= len(counts) {
			s.fail(ErrDamaged)
			return false
		}
		if calls.Has(call) {
			counts[place]++
		}
	}
	return true
}

// Value returns the value of a call in a column, missing if it has none. Read is faster for many calls.
func (s *Segment) Value(column, call int) query.Value {
	values, n, pairs := s.stored(column)
	at := sort.Search(len(pairs)/4, func(i int) bool { return int(binary.LittleEndian.Uint16(pairs[4*i:])) >= call })
	if 4*at == len(pairs) || int(binary.LittleEndian.Uint16(pairs[4*at:])) != call {
		return query.Value{}
	}
	place := int(binary.LittleEndian.Uint16(pairs[4*at+2:]))
	if place >= n {
		s.fail(ErrDamaged)
		return query.Value{}
	}
	for range place {
		values = values[valueSize(values):]
	}
	return decodeValue(values[:valueSize(values)])
}
