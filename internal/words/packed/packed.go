// Package packed reads values that stored formats pack into bytes: numbers of variable length, and texts and lists that
// begin with their length.
package packed

import "encoding/binary"

// Reader reads values from the start of Rest. After the first value that is missing or impossible, Broken is true, Rest
// is empty and all further values are zero. A length is never greater than the bytes that are left, so corrupt data
// cannot cause large allocations.
type Reader struct {
	Rest   []byte
	Broken bool
}

// Break marks the data as corrupt.
func (r *Reader) Break() { r.Rest, r.Broken = nil, true }

// Take returns the next n bytes, without copying them; nil if there are fewer.
func (r *Reader) Take(n int) []byte {
	if n < 0 || n > len(r.Rest) || r.Broken {
		r.Break()
		return nil
	}
	taken := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return taken
}

// Uvarint returns the next unsigned number, as binary.AppendUvarint writes it.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.Rest)
	if n <= 0 {
		r.Break()
		return 0
	}
	r.Rest = r.Rest[n:]
	return v
}

// Varint returns the next signed number, as binary.AppendVarint writes it.
func (r *Reader) Varint() int64 {
	v, n := binary.Varint(r.Rest)
	if n <= 0 {
		r.Break()
		return 0
	}
	r.Rest = r.Rest[n:]
	return v
}

// Count returns the length of the list that follows, whose elements take at least size bytes each.
func (r *Reader) Count(size int) int {
	n := r.Uvarint()
	if n > uint64(len(r.Rest)/size) {
		r.Break()
		return 0
	}
	return int(n)
}

// Bytes returns the bytes that follow their number, without copying them.
func (r *Reader) Bytes() []byte { return r.Take(r.Count(1)) }

// Text returns the text that follows its length.
func (r *Reader) Text() string { return string(r.Bytes()) }
