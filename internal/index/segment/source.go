package segment

import (
	"fmt"

	"parley/internal/host/mapped"
)

// Source is the bytes of a segment. It is safe for concurrent use.
type Source interface {
	// Size returns the number of bytes.
	Size() int
	// Range returns n bytes from at. Callers must not change them. They stay valid as long as they are referenced, those
	// of a memory-mapped file as long as the source is.
	Range(at, n int) ([]byte, error)
}

// plain is a source of bytes in memory.
type plain struct {
	data []byte
	file *mapped.File // that they are of; nil: of none
}

// Plain returns a source of bytes in memory, which must not change while it is in use.
func Plain(data []byte) Source { return plain{data, nil} }

// Mapped returns a source of a file, which must not change while it is in use.
func Mapped(file *mapped.File) Source { return plain{file.Data(), file} }

func (p plain) Size() int { return len(p.data) }

func (p plain) Range(at, n int) ([]byte, error) {
	if at < 0 || n < 0 || at > len(p.data)-n {
		return nil, outside(at, n, len(p.data))
	}
	return p.data[at : at+n : at+n], nil
}

// outside is the error for a range beyond the end of a source.
func outside(at, n, size int) error {
	return fmt.Errorf("%w: bytes %d to %d of %d", ErrDamaged, at, at+n, size)
}

// extent is the place of a section in the source.
type extent struct{ at, size int }

// bytes returns n bytes of a section; nil after an error, which it records, and ever after.
func (s *Segment) bytes(section, at, n int) []byte {
	if s.err.Load() != nil {
		return nil
	}
	e := s.section[section]
	if at < 0 || n < 0 || at > e.size-n {
		s.fail(ErrDamaged)
		return nil
	}
	b, err := s.source.Range(e.at+at, n)
	if err == nil && len(b) != n {
		err = ErrDamaged
	}
	if err != nil {
		s.fail(err)
		return nil
	}
	return b
}

// fail records the first error.
func (s *Segment) fail(err error) { s.err.CompareAndSwap(nil, &err) }

// Err returns the first error of reading the segment; nil if there was none. Whoever reads must check it before using
// what was read: after an error, words, calls and values are missing or wrong. The error stays until the segment is
// opened again. It is ErrDamaged if the stored bytes are corrupt.
func (s *Segment) Err() error {
	if err := s.err.Load(); err != nil {
		return *err
	}
	if s.words != nil {
		if w := s.words.opened.Load(); w != nil {
			return w.Err()
		}
	}
	return nil
}

// window is how much of a section a reader takes from the source at a time. Aligned to it, a window is a part of one
// block of an encrypted source, which need not be copied.
const window = blockBytes

// reader reads small values of a section that are close to each other. It is not safe for concurrent use.
type reader struct {
	segment *Segment
	section int
	from    int // of the window
	window  []byte
}

func (s *Segment) reader(section int) reader { return reader{segment: s, section: section} }

// take returns n bytes of the section; nil after an error, which it records in the segment.
func (r *reader) take(at, n int) []byte {
	if n < 0 || at < r.from || at+n > r.from+len(r.window) {
		e := r.segment.section[r.section]
		if at < 0 || n < 0 || at > e.size-n {
			r.segment.fail(ErrDamaged)
			return nil
		}
		first := max((e.at+at)/window*window-e.at, 0)
		last := min((e.at+at+n+window-1)/window*window-e.at, e.size)
		if last-first > window { // it extends over a border of blocks
			first, last = at, at+n
		}
		r.from, r.window = first, r.segment.bytes(r.section, first, last-first)
		if r.window == nil {
			return nil
		}
	}
	return r.window[at-r.from:][:n]
}
