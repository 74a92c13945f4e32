package segment

import (
	"encoding/binary"

	"parley/internal/query/callset"
)

// only returns the bytes of a file of a segment with some of the calls, in a version of the format.
func (s *Segment) only(some callset.Set, version int) ([]byte, error) {
	if some.Len() < s.calls/4 || s.version != version { // too many numbers and lists would be empty, or voices are missing
		b := Builder{Version: version}
		if err := b.Take(s, some); err != nil {
			return nil, err
		}
		return b.Build()
	}
	r := newRewrite(s, some)
	r.copyCalls()
	used := r.copyPostings()
	r.copyWords(used)
	for i := range s.columns {
		r.copyColumn(i)
	}
	hashes := r.copyPairs()
	if s.Err() != nil {
		return nil, s.Err()
	}
	if s.version >= voices {
		r.copyCasts()
	}
	return join(r.out, s.version, s.numbers, hashes)
}

// rewrite copies some calls of a segment.
type rewrite struct {
	segment *Segment
	some    callset.Set
	place   []int // the new number of each call
	calls   int
	out     [sections][]byte
}

func newRewrite(s *Segment, some callset.Set) *rewrite {
	r := &rewrite{segment: s, some: some, place: make([]int, s.calls)}
	for call := range some.All {
		r.place[call] = r.calls
		r.calls++
	}
	return r
}

// copyCalls copies calls and their token files.
func (r *rewrite) copyCalls() {
	s := r.segment
	r.out[filesAt] = make([]byte, 0, s.section[filesAt].size)
	for call := range r.some.All {
		c := draftCall{id: s.Key(call), change: s.Change(call), revision: s.Revision(call), flags: s.flags(call)}
		r.out[callsAt] = appendCall(r.out[callsAt], &c, s.version)
		r.out[tokensAt] = binary.LittleEndian.AppendUint32(r.out[tokensAt], uint32(len(r.out[filesAt])))
		r.out[filesAt] = append(r.out[filesAt], s.Tokens(call)...)
	}
	r.out[tokensAt] = binary.LittleEndian.AppendUint32(r.out[tokensAt], uint32(len(r.out[filesAt])))
}

// copyPostings copies the calls of each word, and returns for each word number whether a call has it.
func (r *rewrite) copyPostings() (used []bool) {
	s := r.segment
	used = make([]bool, s.numbers)
	w := newListWriter(s.numbers, s.section[postingsAt].size-4*s.numbers)
	width := s.casts().width
	for n := range used {
		s.entries(n, func(call int, bits byte) {
			if r.some.Has(call) {
				w.addSaid(r.place[call], bits, width[call])
				used[n] = true
			}
		})
		w.end()
	}
	r.out[postingsAt] = w.bytes
	return used
}

// write writes the calls of a set that are copied.
func (r *rewrite) write(w *listWriter, set callset.Set) {
	set.And(r.some)
	for call := range set.All {
		w.add(r.place[call])
	}
	w.end()
}

// copyCasts copies the casts of the calls.
func (r *rewrite) copyCasts() {
	c := r.segment.casts()
	var w castWriter
	for call := range r.some.All {
		w.add(c.stored[c.place(call)])
	}
	r.out[castsAt] = w.section()
}

// copyPairs copies the calls of each pair, and returns the number of hashes. If there are fewer than before, each list
// is that of several hashes: a hash is the rest of a division by their number.
func (r *rewrite) copyPairs() (hashes int) {
	s := r.segment
	hashes = min(hashesOf(r.calls), s.hashes)
	w := newListWriter(hashes, s.section[pairsAt].size-4*s.hashes)
	set := callset.New(s.calls)
	for h := range hashes {
		clear(set)
		for old := h; old < s.hashes; old += hashes {
			s.list(pairsAt, old, set)
		}
		r.write(w, set)
	}
	r.out[pairsAt] = w.bytes
	return hashes
}

// copyWords copies the words that are used. Marked words, which come first, use those without the mark.
func (r *rewrite) copyWords(used []bool) {
	l := r.segment.lexicon()
	written := map[string]bool{}
	for place := range r.segment.spelled {
		n, text := l.number(place), string(l.text(place))
		word, marked := unmarked(text)
		if !used[n] && !written[text] {
			continue
		}
		if marked {
			written[word] = true
		}
		r.out[wordsAt] = binary.LittleEndian.AppendUint32(r.out[wordsAt], uint32(len(r.out[textsAt])))
		r.out[wordsAt] = binary.LittleEndian.AppendUint32(r.out[wordsAt], n)
		r.out[textsAt] = append(r.out[textsAt], text...)
	}
	r.out[wordsAt] = binary.LittleEndian.AppendUint32(r.out[wordsAt], uint32(len(r.out[textsAt])))
	r.out[wordsAt] = binary.LittleEndian.AppendUint32(r.out[wordsAt], 0)
}

// copyColumn copies the values of a column, unless no call has one.
func (r *rewrite) copyColumn(i int) {
	s := r.segment
	values, pairs := s.encodedColumn(i)
	d := &drawn{field: s.columns[i].field, places: map[string]uint16{}}
	for ; len(pairs) > 0; pairs = pairs[4:] {
		call, place := int(binary.LittleEndian.Uint16(pairs)), int(binary.LittleEndian.Uint16(pairs[2:]))
		if call >= s.calls || place >= len(values) {
			s.fail(ErrDamaged)
			return
		}
		if r.some.Has(call) {
			d.addEncoded(r.place[call], values[place])
		}
	}
	if d.calls > 0 {
		r.out[fieldsAt], r.out[columnsAt] = d.append(r.out[fieldsAt], r.out[columnsAt])
	}
}
