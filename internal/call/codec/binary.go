package codec

import (
	"encoding/binary"
	"errors"
	"math"

	"parley/internal/words/packed"
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

// reader reads values from a buffer and counts the memory that they take.
type reader struct {
	packed.Reader
	err error // the error of hold

	hold  func(bytes int64) error // see Codec.DecodeResultWithin; nil: memory is not counted
	taken int64                   // bytes taken since the last call of hold
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
	if r.hold == nil || r.Broken {
		return
	}
	if r.err = r.hold(r.taken); r.err != nil {
		r.Break()
	}
	r.taken = 0
}

// text reads a text. Its memory is counted before it is allocated.
func (r *reader) text() string {
	text := r.Bytes()
	if r.take(int64(len(text))); r.Broken {
		return ""
	}
	return string(text)
}

func (r *reader) flag() bool                   { return r.Uvarint() != 0 }
func (r *reader) ten4() float64                { return float64(r.Uvarint()) / 1e4 }
func (r *reader) signed(scale float64) float64 { return float64(r.Varint()) / scale }

// done returns the error of hold, or one if the data are corrupt or bytes are left.
func (r *reader) done() error {
	if r.err == nil && (r.Broken || len(r.Rest) > 0) {
		return errShort
	}
	return r.err
}
