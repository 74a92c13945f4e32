package packed

import (
	"encoding/binary"
	"testing"
)

func TestNothingIsReadAfterTheFirstImpossibleValue(t *testing.T) {
	tooLong := append(binary.AppendUvarint(nil, 9), "12345678"...)
	for name, read := range map[string]func(r *Reader) bool{
		"text":    func(r *Reader) bool { return r.Text() == "" },
		"count":   func(r *Reader) bool { return r.Count(1) == 0 },
		"take":    func(r *Reader) bool { return r.Take(len(tooLong)+1) == nil },
		"minus":   func(r *Reader) bool { return r.Take(-1) == nil },
		"uvarint": func(r *Reader) bool { r.Rest = []byte{0x80}; return r.Uvarint() == 0 },
		"varint":  func(r *Reader) bool { r.Rest = nil; return r.Varint() == 0 },
	} {
		r := &Reader{Rest: tooLong}
		if !read(r) || !r.Broken || len(r.Rest) > 0 || r.Uvarint() != 0 || r.Take(0) != nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestListsHaveNoMoreElementsThanBytesAreLeft(t *testing.T) {
	for n, fits := range map[uint64]bool{0: true, 2: true, 3: false, 1 << 63: false} {
		r := &Reader{Rest: append(binary.AppendUvarint(nil, n), "12345678"...)}
		if got := r.Count(4); r.Broken == fits || fits && got != int(n) {
			t.Errorf("%d elements of 4 bytes in 8: %d, broken %v", n, got, r.Broken)
		}
	}
}
