package segment

import (
	"encoding/binary"

	"parley/internal/query/callset"
)

// postings are lists of calls under construction: for each word, or each hash of a pair, the calls that have it.
// Stored, they are the offset of each list and the end, 4 bytes each, and then the lists: calls as varints, each less
// the one before. Lists of words go on with who says them, see voices.
type postings struct {
	last    []uint16 // of each list: 1 + the latest call
	entries []uint32 // the lists that each call is in, call by call
	starts  []int    // of the entries of each call

	said  []byte   // of the entries: who says the word; nil if that is not stored
	entry []uint32 // of each list: the latest of its entries; with said only
	width []uint8  // of each call: the number of its bits in lists; with said only
}

// newPostings returns so many empty lists, with room for so many calls and entries.
func newPostings(lists, calls, entries int) *postings {
	return &postings{last: make([]uint16, lists), starts: make([]int, 0, calls), entries: make([]uint32, 0, entries)}
}

// next begins the next call.
func (p *postings) next() { p.starts = append(p.starts, len(p.entries)) }

// add adds the present call to a list, once.
func (p *postings) add(list uint32) {
	if call := uint16(len(p.starts)); p.last[list] != call {
		p.last[list] = call
		p.entries = append(p.entries, list)
	}
}

// encode returns the stored form.
func (p *postings) encode() []byte {
	first := make([]int, len(p.last)+1)
	for _, list := range p.entries {
		first[list+1]++
	}
	for i := range p.last {
		first[i+1] += first[i]
	}
	calls, at := make([]uint16, len(p.entries)), make([]int, len(p.last))
	var said []byte
	if p.entry != nil {
		said = make([]byte, len(p.said))
	}
	copy(at, first)
	for call, from := range p.starts {
		to := len(p.entries)
		if call+1 < len(p.starts) {
			to = p.starts[call+1]
		}
		for i, list := range p.entries[from:to] {
			calls[at[list]] = uint16(call)
			if said != nil {
				said[at[list]] = p.said[from+i]
			}
			at[list]++
		}
	}
	w := newListWriter(len(p.last), len(calls))
	for i := range p.last {
		for k := first[i]; k < first[i+1]; k++ {
			if said == nil {
				w.add(int(calls[k]))
			} else {
				w.addSaid(int(calls[k]), said[k], p.width[calls[k]])
			}
		}
		w.end()
	}
	return w.bytes
}

// listWriter writes lists one after another in their stored form.
type listWriter struct {
	bytes        []byte
	list, before int
	tail         []byte // see voices
	used         int    // bits of tail
}

// newListWriter returns a writer for so many lists, with about so many entries.
func newListWriter(lists, entries int) *listWriter {
	w := &listWriter{bytes: make([]byte, 4*(lists+1), 4*(lists+1)+entries+entries/4)}
	w.place()
	return w
}

// place stores the offset of the present list.
func (w *listWriter) place() { binary.LittleEndian.PutUint32(w.bytes[4*w.list:], uint32(len(w.bytes))) }

// add adds the next call of the present list.
func (w *listWriter) add(call int) {
	w.bytes = binary.AppendUvarint(w.bytes, uint64(call-w.before))
	w.before = call
}

// end ends the present list.
func (w *listWriter) end() {
	w.bytes = append(w.bytes, w.tail...)
	w.list, w.before, w.tail, w.used = w.list+1, 0, w.tail[:0], 0
	w.place()
}

// list adds the calls of the n-th list of a section to a set.
func (s *Segment) list(section, n int, set callset.Set) {
	from, to := s.offsets(section, n)
	call := uint64(0)
	for list := s.bytes(section, from, to-from); len(list) > 0; {
		d, n := binary.Uvarint(list)
		if n <= 0 || d >= MaxCalls || call+d >= uint64(s.calls) {
			s.fail(ErrDamaged)
			return
		}
		call += d
		set.Add(int(call))
		list = list[n:]
	}
}
