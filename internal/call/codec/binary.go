package codec

import (
	"encoding/binary"
	"errors"
	"math"
)

var errShort = errors.New("record is truncated or corrupt")

// writer appends values to a buffer.
type writer struct{ b []byte }

func (w *writer) uint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }
func (w *writer) int(v int64)   { w.b = binary.AppendVarint(w.b, v) }
func (w *writer) text(s string) { w.uint(uint64(len(s))); w.b = append(w.b, s...) }
func (w *writer) flag(v bool)   { w.b = append(w.b, map[bool]byte{true: 1}[v]) }

// ten4 appends a non-negative number with four decimals; NaN becomes 0.
func (w *writer) ten4(v float64) {
	if !(v > 0) {
		v = 0
	}
	w.uint(uint64(min(math.Round(v*1e4), 1<<50)))
}

// signed appends a number rounded to 1/scale. A negative number stays negative; NaN becomes 0.
func (w *writer) signed(v, scale float64) {
	n := math.Round(v * scale)
	switch {
	case math.IsNaN(n):
		n = 0
	case v < 0:
		n = min(n, -1)
	}
	w.int(int64(max(min(n, 1<<50), -1<<50)))
}

// reader reads values from a buffer. After the first missing value, it returns only zero values and err is set.
type reader struct {
	b   []byte
	err error

	hold  func(bytes int64) error // see Codec.DecodeResultWithin; nil: memory is not counted
	taken int64                   // bytes taken since the last call of hold
}

func (r *reader) fail() { r.end(errShort) }

func (r *reader) end(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

// holdStep is the number of bytes after which hold is called.
const holdStep = 64 << 10

// take counts memory before it is allocated.
func (r *reader) take(bytes int64) {
	if r.taken += bytes; r.taken >= holdStep {
		r.settle()
	}
}

// settle reports the counted bytes to hold.
func (r *reader) settle() {
	if r.hold == nil || r.err != nil {
		return
	}
	if err := r.hold(r.taken); err != nil {
		r.end(err)
	}
	r.taken = 0
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the length of a list whose elements take at least size bytes each. A length that the remaining bytes
// cannot hold is an error, so corrupt data cannot cause large allocations.
func (r *reader) count(size int) int {
	v := r.uint()
	if v > uint64(len(r.b)/size) {
		r.fail()
		return 0
	}
	return int(v)
}

func (r *reader) text() string {
	n := r.count(1)
	if r.take(int64(n)); r.err != nil {
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) flag() bool                   { return r.uint() != 0 }
func (r *reader) ten4() float64                { return float64(r.uint()) / 1e4 }
func (r *reader) signed(scale float64) float64 { return float64(r.int()) / scale }

// done returns the first error, or one if bytes are left.
func (r *reader) done() error {
	if r.err == nil && len(r.b) > 0 {
		return errShort
	}
	return r.err
}
