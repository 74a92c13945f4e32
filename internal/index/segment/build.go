package segment

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/google/uuid"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/media"
)

// Draft is a call to be added to a segment.
type Draft struct {
	ID      media.ID
	Change  int64
	Indexed bool
	Words   *tokenfile.Source // of the transcript
	Values  fact.Values
}

// Builder builds a segment. The zero Builder is empty.
type Builder struct {
	numbers map[string]uint32 // of words, in order of first occurrence
	words   []string
	counts  []uint64 // of words
	calls   []draftCall
}

// draftCall is a call of a builder. Its token file uses the builder's word numbers.
type draftCall struct {
	id      uuid.UUID
	change  int64
	indexed bool
	tokens  []byte
	values  fact.Values
}

// Len is how many calls were added.
func (b *Builder) Len() int { return len(b.calls) }

// Add adds a call. Its id must be a UUID that no other call of the segment has.
func (b *Builder) Add(d *Draft) error {
	id, err := uuid.Parse(string(d.ID))
	if err != nil {
		return err
	}
	tokens := tokenfile.EncodeNumbers(d.Words, b.numbered(d.Words.Words))
	b.calls = append(b.calls, draftCall{id, d.Change, d.Indexed, tokens, d.Values})
	return nil
}

// numbered returns the numbers of words, and assigns numbers to new words.
func (b *Builder) numbered(words []string) []uint32 {
	if b.numbers == nil {
		b.numbers = map[string]uint32{}
	}
	numbers := make([]uint32, len(words))
	for i, w := range words {
		n, ok := b.numbers[w]
		if !ok {
			n = uint32(len(b.words))
			b.numbers[w], b.words, b.counts = n, append(b.words, w), append(b.counts, 0)
		}
		b.counts[n]++
		numbers[i] = n
	}
	return numbers
}

// Take adds some calls of another segment.
func (b *Builder) Take(s *Segment, some callset.Set) error {
	words, values := s.Words(), s.values(some)
	var file tokenfile.File
	for call := range some.All {
		if err := file.Decode(s.Tokens(call)); err != nil {
			return err
		}
		times, err := file.Times()
		if err != nil {
			return err
		}
		source := &tokenfile.Source{Length: file.Length, Speakers: file.Speakers, Parts: file.Parts, Times: times,
			Words: make([]string, len(file.Words))}
		for i, n := range file.Words {
			if int(n) >= len(words) {
				return ErrDamaged
			}
			source.Words[i] = words[n]
		}
		tokens := tokenfile.EncodeNumbers(source, b.numbered(source.Words))
		b.calls = append(b.calls, draftCall{s.Key(call), s.Change(call), s.Indexed(call), tokens, values[call]})
	}
	return nil
}

// values returns the field values of some calls, by call.
func (s *Segment) values(some callset.Set) []fact.Values {
	all := make([]fact.Values, s.calls)
	column := make([]query.Value, s.calls)
	for i, c := range s.columns {
		clear(column)
		s.Read(i, column, nil)
		for call, v := range column {
			if !v.Missing() && some.Has(call) {
				all[call] = append(all[call], fact.Entry{Field: c.field, Value: v})
			}
		}
	}
	return all
}

// Build returns the bytes of the segment.
func (b *Builder) Build() ([]byte, error) {
	slices.SortFunc(b.calls, func(x, y draftCall) int { return bytes.Compare(y.id[:], x.id[:]) })
	rank := b.ranks()
	var out [sections][]byte
	postings := make([][]byte, len(b.words))
	last := make([]int, len(b.words))
	pairs := newPairs(len(b.calls))
	var file tokenfile.File
	for i, c := range b.calls {
		out[callsAt] = appendCall(out[callsAt], c)
		out[tokensAt] = binary.LittleEndian.AppendUint32(out[tokensAt], uint32(len(out[filesAt])))
		tokens, err := renumbered(&file, c.tokens, rank)
		if err != nil {
			return nil, err
		}
		out[filesAt] = append(out[filesAt], tokens...)
		for _, n := range file.Words { // with the final numbers
			if seen := last[n]; seen <= i { // last is 1 + the latest call that has it
				postings[n] = binary.AppendUvarint(postings[n], uint64(i-max(seen-1, 0)))
				last[n] = i + 1
			}
		}
		pairs.add(i, &file)
	}
	out[tokensAt] = binary.LittleEndian.AppendUint32(out[tokensAt], uint32(len(out[filesAt])))
	out[wordsAt], out[textsAt] = b.sorted(rank)
	out[postingsAt] = appendPostings(postings)
	out[pairsAt] = appendPostings(pairs.calls)
	for _, d := range b.columns() {
		out[columnsAt] = d.append(out[columnsAt])
	}
	return join(out), nil
}

func appendCall(b []byte, c draftCall) []byte {
	b = append(b, c.id[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(c.change))
	if c.indexed {
		return append(b, 1)
	}
	return append(b, 0)
}

// ranks returns the final number of each word, indexed by the builder's number: the most frequent word comes first.
func (b *Builder) ranks() []uint32 {
	order := make([]uint32, len(b.words))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(b.counts[y], b.counts[x]), cmp.Compare(b.words[x], b.words[y]))
	})
	rank := make([]uint32, len(order))
	for r, n := range order {
		rank[n] = uint32(r)
	}
	return rank
}

// renumbered returns a token file with other word numbers, and updates file accordingly.
func renumbered(file *tokenfile.File, tokens []byte, rank []uint32) ([]byte, error) {
	if err := file.Decode(tokens); err != nil {
		return nil, err
	}
	times, err := file.Times()
	if err != nil {
		return nil, err
	}
	for i, n := range file.Words {
		file.Words[i] = rank[n]
	}
	source := &tokenfile.Source{Length: file.Length, Speakers: file.Speakers, Parts: file.Parts, Times: times}
	return tokenfile.EncodeNumbers(source, file.Words), nil
}

// sorted returns the words in sorted order.
func (b *Builder) sorted(rank []uint32) (words, texts []byte) {
	order := make([]uint32, len(b.words))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(b.words[x], b.words[y]) })
	for _, n := range order {
		words = binary.LittleEndian.AppendUint32(words, uint32(len(texts)))
		words = binary.LittleEndian.AppendUint32(words, rank[n])
		texts = append(texts, b.words[n]...)
	}
	words = binary.LittleEndian.AppendUint32(words, uint32(len(texts)))
	return binary.LittleEndian.AppendUint32(words, 0), texts
}

func appendPostings(postings [][]byte) (b []byte) {
	at := 4 * (len(postings) + 1)
	for _, p := range postings {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += len(p)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(at))
	for _, p := range postings {
		b = append(b, p...)
	}
	return b
}

// columns returns the values of all calls, by field.
func (b *Builder) columns() []*drawn {
	all := map[string]*drawn{}
	for i, c := range b.calls {
		for _, e := range c.values {
			k := key(e.Field)
			d := all[k]
			if d == nil {
				d = &drawn{field: e.Field, places: map[string]uint16{}}
				all[k] = d
			}
			d.add(i, e.Value)
		}
	}
	return sortedColumns(all)
}

// join concatenates header and sections.
func join(section [sections][]byte) []byte {
	size := header
	for _, s := range section {
		size += len(s)
	}
	data := make([]byte, header, size)
	copy(data, "pas")
	data[3] = version
	for i, s := range section {
		binary.LittleEndian.PutUint64(data[4+16*i:], uint64(len(data)))
		binary.LittleEndian.PutUint64(data[12+16*i:], uint64(len(s)))
		data = append(data, s...)
	}
	binary.LittleEndian.PutUint32(data[header-8:], crc32.Checksum(data[header:], castagnoli))
	return data
}
