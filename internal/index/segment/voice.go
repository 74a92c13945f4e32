package segment

import (
	"encoding/binary"

	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/packed"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// voices is the first version that knows who says a word.
//
// After the calls, the list of a word has bits for each of them, in the same order, from the lowest bit of the first
// byte on. A call with two speakers has two bits: the first or the second says the word. A call with more has four: the
// first, the second, the third, or another speaker says it. A call with fewer has none. The list ends where the bits
// do, so the number of calls is not stored. The lists of marked words have the bits as well, all 0.
//
// The section of the casts has the distinct casts of the calls, and which call has which:
//
//	casts                 their number as a varint, as all numbers that follow; for each:
//	speakers              their number; for each the role, the length of the name, the name
//	first                 1 + the first speaker by the order of turns, 1 + the second; 0 for none
//	calls                 for each the place of its cast, 2 bytes
const voices = 3

// another is the bit of all speakers after the third.
const another = 1 << 3

// voice returns the bit of a speaker.
func voice(speaker int) byte { return 1 << min(speaker, 3) }

// widthOf returns the number of bits of a call with so many speakers.
func widthOf(speakers int) uint8 {
	switch {
	case speakers < 2:
		return 0
	case speakers == 2:
		return 2
	}
	return 4
}

// casts are the speakers of the calls.
type casts struct {
	all    []query.Cast
	stored [][]byte // as they are stored
	of     []byte   // of each call: the place of its cast, 2 bytes
	width  []uint8  // of each call: the number of its bits in lists
	least  int      // the least width
}

// place returns the place of a call's cast.
func (c *casts) place(call int) int { return int(binary.LittleEndian.Uint16(c.of[2*call:])) }

// readCasts reads the casts. After an error, all calls have the same empty one.
func (s *Segment) readCasts() *casts {
	c := &casts{width: make([]uint8, s.calls)}
	if s.version < voices {
		return c
	}
	r := packed.Reader{Rest: s.bytes(castsAt, 0, s.section[castsAt].size)}
	for range r.Count(3) {
		before := r.Rest
		cast := readCast(&r)
		c.all, c.stored = append(c.all, cast), append(c.stored, before[:len(before)-len(r.Rest)])
	}
	c.of = r.Take(2 * s.calls)
	bad := r.Broken || len(r.Rest) > 0
	for call := 0; call < s.calls && !bad; call++ {
		if bad = c.place(call) >= len(c.all); !bad {
			c.width[call] = widthOf(len(c.all[c.place(call)].Speakers))
		}
		if w := int(c.width[call]); call == 0 || w < c.least {
			c.least = w
		}
	}
	if bad {
		s.fail(ErrDamaged)
		return unknownCasts(s.calls)
	}
	return c
}

// unknownCasts returns the same empty cast for so many calls.
func unknownCasts(calls int) *casts {
	return &casts{make([]query.Cast, 1), make([][]byte, 1), make([]byte, 2*calls), make([]uint8, calls), 0}
}

func readCast(r *packed.Reader) (c query.Cast) {
	for range r.Count(2) {
		role, name := r.Uvarint(), r.Text()
		c.Speakers = append(c.Speakers, transcript.Speaker{Role: transcript.Role(role), Name: name})
	}
	for i := range c.First {
		k := r.Uvarint()
		if k > uint64(len(c.Speakers)) {
			r.Break()
		}
		c.First[i] = int(k) - 1
	}
	return c
}

// castWriter collects the distinct casts of calls.
type castWriter struct {
	places map[string]uint16
	stored []byte
	of     []byte
}

// add adds the cast of the next call.
func (w *castWriter) add(stored []byte) {
	place, there := w.places[string(stored)]
	if !there {
		if w.places == nil {
			w.places = map[string]uint16{}
		}
		place = uint16(len(w.places))
		w.places[string(stored)] = place
		w.stored = append(w.stored, stored...)
	}
	w.of = binary.LittleEndian.AppendUint16(w.of, place)
}

// section returns the section of the casts.
func (w *castWriter) section() []byte {
	b := binary.AppendUvarint(nil, uint64(len(w.places)))
	return append(append(b, w.stored...), w.of...)
}

// appendCast appends the cast of a call.
func appendCast(b []byte, f *tokenfile.File) []byte {
	b = binary.AppendUvarint(b, uint64(len(f.Speakers)))
	for _, k := range f.Speakers {
		b = binary.AppendUvarint(b, uint64(k.Role))
		b = binary.AppendUvarint(b, uint64(len(k.Name)))
		b = append(b, k.Name...)
	}
	first, second := -1, -1
	for _, p := range f.Parts {
		switch {
		case p.Field != phrase.Transcript:
		case first < 0:
			first = p.Speaker
		case second < 0 && p.Speaker != first:
			second = p.Speaker
		}
	}
	b = binary.AppendUvarint(b, uint64(first+1))
	return binary.AppendUvarint(b, uint64(second+1))
}

// entries calls a function with each call of a word's list, and the bits of those who say it. The bits are 0 if the
// segment does not know.
func (s *Segment) entries(n int, each func(call int, bits byte)) {
	var buffer [MaxCalls]uint16
	calls := buffer[:0]
	bits := s.unpack(n, func(call int) { calls = append(calls, uint16(call)) })
	if s.version < voices {
		for _, call := range calls {
			each(int(call), 0)
		}
		return
	}
	if s.Err() != nil {
		return
	}
	at, width := 0, s.casts().width
	for _, call := range calls {
		if width[call] == 0 {
			each(int(call), voice(0))
			continue
		}
		b := bits[at/8] >> (at % 8)
		if at%8+int(width[call]) > 8 {
			b |= bits[at/8+1] << (8 - at%8)
		}
		each(int(call), b&(1<<width[call]-1))
		at += int(width[call])
	}
}

// unpack calls a function with each call of a word's list, and returns the bits that follow the calls; nil after an
// error.
func (s *Segment) unpack(n int, each func(call int)) (bits []byte) {
	from, to := s.offsets(postingsAt, n)
	list := s.bytes(postingsAt, from, to-from)
	width := s.casts().width
	for call, n, used := uint64(0), 0, 0; ; n++ {
		tail := (used + 7) / 8
		if len(list) <= tail {
			if len(list) < tail {
				s.fail(ErrDamaged)
				return nil
			}
			return list
		}
		d, size := uint64(list[0]), 1
		if d >= 0x80 {
			d, size = binary.Uvarint(list)
		}
		if size <= 0 || d >= MaxCalls || call+d >= uint64(s.calls) || d == 0 && n > 0 {
			s.fail(ErrDamaged)
			return nil
		}
		call += d
		list = list[size:]
		used += int(width[call])
		each(int(call))
	}
}

// said adds the calls of a word's list to a set.
func (s *Segment) said(n int, set callset.Set) { s.unpack(n, set.Add) }

// addSaid adds the present call to the list of a word, with the bit of a speaker who says it.
func (p *postings) addSaid(list uint32, bit byte) {
	before := len(p.entries)
	p.add(list)
	switch {
	case p.entry == nil:
	case len(p.entries) > before:
		p.entry[list] = uint32(before)
		p.said = append(p.said, bit)
	default:
		p.said[p.entry[list]] |= bit
	}
}

// addSaid adds the next call of the present list, and so many bits of those who say the word.
func (w *listWriter) addSaid(call int, bits byte, width uint8) {
	w.add(call)
	if width == 0 {
		return
	}
	free := w.used % 8
	if free == 0 {
		w.tail = append(w.tail, 0)
	}
	w.tail[len(w.tail)-1] |= bits << free
	if free+int(width) > 8 {
		w.tail = append(w.tail, bits>>(8-free))
	}
	w.used += int(width)
}
