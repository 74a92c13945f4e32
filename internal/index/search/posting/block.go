package posting

import (
	"bytes"
	"encoding/binary"

	"parley/internal/query/callset"
)

// Emit stores a block of a segment. Blocks come in the order of their first keys. The arguments are valid only during
// the call.
type Emit func(first, block []byte) error

// writer encodes entries, in key order, into blocks:
//
//	bytes shared with the key before   varint, as all numbers; 0 for the first
//	further bytes of the key           how many, and these
//	calls                              as appendList writes them
type writer struct {
	emit          Emit
	size          int // bytes per block, unless a single entry needs more
	calls         int
	block         []byte
	first, before []byte
	entry         []byte
}

func (w *writer) add(key []byte, list []uint16) error {
	w.entry = appendList(w.entry[:0], list, w.calls)
	if len(w.block) > 0 && len(w.block)+len(key)+4+len(w.entry) > w.size {
		if err := w.flush(); err != nil {
			return err
		}
	}
	shared := 0
	if len(w.block) == 0 {
		w.first = append(w.first[:0], key...)
	} else {
		for shared < len(key) && shared < len(w.before) && key[shared] == w.before[shared] {
			shared++
		}
	}
	w.block = binary.AppendUvarint(w.block, uint64(shared))
	w.block = binary.AppendUvarint(w.block, uint64(len(key)-shared))
	w.block = append(append(w.block, key[shared:]...), w.entry...)
	w.before = append(w.before[:0], key...)
	return nil
}

func (w *writer) flush() error {
	if len(w.block) == 0 {
		return nil
	}
	err := w.emit(w.first, w.block)
	w.block = w.block[:0]
	return err
}

// reader reads the entries of a block.
type reader struct {
	rest   []byte
	key    []byte
	list   []byte
	bitmap bool
}

// next reads the next entry; false at the end.
func (r *reader) next() (bool, error) {
	if len(r.rest) == 0 {
		return false, nil
	}
	shared, n := binary.Uvarint(r.rest)
	if n <= 0 || shared > uint64(len(r.key)) {
		return false, ErrDamaged
	}
	more, m := binary.Uvarint(r.rest[n:])
	if m <= 0 || more > uint64(len(r.rest)-n-m) {
		return false, ErrDamaged
	}
	from, to := n+m, n+m+int(more)
	r.key = append(r.key[:shared], r.rest[from:to]...)
	var err error
	r.list, r.rest, r.bitmap, err = readList(r.rest[to:])
	return err == nil, err
}

// Find adds the calls that have a key to a set. The key must be in this block or in none.
func Find(block, key []byte, in callset.Set) error {
	r := reader{rest: block}
	for {
		ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		switch bytes.Compare(r.key, key) {
		case 0:
			return addTo(in, r.list, r.bitmap)
		case 1:
			return nil
		}
	}
}

// FindBeginning adds the calls with keys of this block that have a prefix to a set. It reports whether the next block
// may have more.
func FindBeginning(block, beginning []byte, in callset.Set) (more bool, err error) {
	r := reader{rest: block}
	for {
		ok, err := r.next()
		if err != nil || !ok {
			return err == nil, err
		}
		if bytes.HasPrefix(r.key, beginning) {
			if err := addTo(in, r.list, r.bitmap); err != nil {
				return false, err
			}
		} else if bytes.Compare(r.key, beginning) > 0 {
			return false, nil
		}
	}
}
