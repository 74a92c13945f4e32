package posting

import (
	"encoding/binary"
	"errors"

	"parley/internal/query/callset"
)

// ErrDamaged is the error for bytes that are not a valid block.
var ErrDamaged = errors.New("posting: a block is corrupt")

// appendList encodes the calls of a key, ascending; calls is the number of calls in the segment:
//
//	2 × bytes that follow, + 1 for a bitmap   varint, as all numbers
//	either                                    the first call, then for each the distance to the one before, less 1
//	or                                        a bit for each call of the segment, where that takes less
func appendList(b []byte, list []uint16, calls int) []byte {
	if bitmap := (calls + 7) / 8; len(list) > bitmap {
		b = binary.AppendUvarint(b, uint64(bitmap)<<1|1)
		at := len(b)
		b = append(b, make([]byte, bitmap)...)
		for _, c := range list {
			b[at+int(c>>3)] |= 1 << (c & 7)
		}
		return b
	}
	size, before := 0, -1
	for _, c := range list {
		size += width(int(c) - before - 1)
		before = int(c)
	}
	b = binary.AppendUvarint(b, uint64(size)<<1)
	before = -1
	for _, c := range list {
		b = binary.AppendUvarint(b, uint64(int(c)-before-1))
		before = int(c)
	}
	return b
}

// width is how many bytes a varint below 2²¹ takes.
func width(n int) int {
	switch {
	case n < 1<<7:
		return 1
	case n < 1<<14:
		return 2
	}
	return 3
}

// readList splits a list off the front of b.
func readList(b []byte) (list, rest []byte, bitmap bool, err error) {
	head, n := binary.Uvarint(b)
	if n <= 0 || head>>1 > uint64(len(b)-n) {
		return nil, nil, false, ErrDamaged
	}
	end := n + int(head>>1)
	return b[n:end], b[end:], head&1 == 1, nil
}

// calls yields the calls of a list returned by readList, until yield returns false.
func calls(list []byte, bitmap bool, yield func(call int) bool) error {
	if bitmap {
		for i, bits := range list {
			for bit := range 8 {
				if bits>>bit&1 == 1 && !yield(i<<3+bit) {
					return nil
				}
			}
		}
		return nil
	}
	for before := -1; len(list) > 0; {
		gap, n := uint64(list[0]), 1
		if gap >= 0x80 {
			gap, n = binary.Uvarint(list)
		}
		if n <= 0 || gap >= MostCalls {
			return ErrDamaged
		}
		before += int(gap) + 1
		if list = list[n:]; !yield(before) {
			return nil
		}
	}
	return nil
}

// addTo adds the calls of a list to a set.
func addTo(s callset.Set, list []byte, bitmap bool) error {
	inside := true
	err := calls(list, bitmap, func(call int) bool {
		inside = s.Offer(call)
		return inside
	})
	if err == nil && !inside {
		return ErrDamaged
	}
	return err
}
