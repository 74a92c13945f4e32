package segment

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/google/uuid"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

// Draft is a call to be added to a segment.
type Draft struct {
	ID         media.ID
	Change     int64
	Indexed    bool              // posted for the analytic database
	Searchable bool              // found by the query of the media list
	Readable   bool              // finished, with a result
	Bare       bool              // words and values are not given: they may be kept in the database only
	Words      *tokenfile.Source // of the transcript, the title and the description
	Values     fact.Values
}

// flags returns the flags of a call as bits.
func (d *Draft) flags() (bits byte) {
	for _, f := range []struct {
		set bool
		bit byte
	}{{d.Indexed, indexed}, {d.Searchable, searchable}, {d.Readable, readable}, {d.Bare, bare}} {
		if f.set {
			bits |= f.bit
		}
	}
	return bits
}

// Builder builds a segment. The zero Builder is empty.
type Builder struct {
	Version int // of the format; 0: Written

	numbers map[string]uint32 // of words, in order of first occurrence
	words   []string
	counts  []uint64 // of words
	calls   []draftCall
}

// draftCall is a call of a builder.
type draftCall struct {
	id       uuid.UUID
	change   int64
	revision int64 // of the values
	flags    byte
	tokens   []byte
	lexicon  *taken   // that the token file uses; nil: the builder's
	marked   []uint32 // the builder's numbers
	values   fact.Values
}

// taken is the lexicon of a segment of which calls were taken: the builder's word numbers, by the segment's.
type taken struct{ numbers []uint32 }

// Len is how many calls were added.
func (b *Builder) Len() int { return len(b.calls) }

// Add adds a call. Its id must be a UUID that no other call of the segment has.
func (b *Builder) Add(d *Draft) error {
	id, err := uuid.Parse(string(d.ID))
	if err != nil {
		return err
	}
	tokens := tokenfile.EncodeNumbers(d.Words, b.numbered(d.Words.Words))
	marked := b.marked(d.Words.Parts, func(at int) string { return d.Words.Words[at] })
	b.calls = append(b.calls, draftCall{id, d.Change, d.Change, d.flags(), tokens, nil, marked, d.Values})
	return nil
}

// numbered returns the numbers of words, and assigns numbers to new words.
func (b *Builder) numbered(words []string) []uint32 {
	if b.numbers == nil {
		b.numbers = map[string]uint32{}
	}
	numbers := make([]uint32, len(words))
	for i, w := range words {
		numbers[i] = b.number(w)
		b.counts[numbers[i]]++
	}
	return numbers
}

// number returns the number of a word.
func (b *Builder) number(word string) uint32 {
	n, ok := b.numbers[word]
	if !ok {
		n = uint32(len(b.words))
		b.numbers[word], b.words, b.counts = n, append(b.words, word), append(b.counts, 0)
	}
	return n
}

// unassigned is the number of a word that no call has that was taken.
const unassigned = math.MaxUint32

// Take adds some calls of another segment.
func (b *Builder) Take(s *Segment, some callset.Set) error {
	words, values := s.Words(), s.valuesOf(some)
	lexicon := &taken{numbers: slices.Repeat([]uint32{unassigned}, len(words))}
	if b.numbers == nil {
		b.numbers = map[string]uint32{}
	}
	var file tokenfile.File
	for call := range some.All {
		tokens := s.Tokens(call)
		if err := cmp.Or(s.Err(), file.Decode(tokens)); err != nil {
			return err
		}
		for _, n := range file.Words {
			if uint64(n) >= uint64(len(words)) {
				return ErrDamaged
			}
			if lexicon.numbers[n] == unassigned {
				lexicon.numbers[n] = b.number(words[n])
			}
			b.counts[lexicon.numbers[n]]++
		}
		marked := b.marked(file.Parts, func(at int) string { return words[file.Words[at]] })
		b.calls = append(b.calls, draftCall{s.Key(call), s.Change(call), s.Revision(call), s.flags(call), bytes.Clone(tokens),
			lexicon, marked, values[call]})
	}
	return s.Err()
}

// valuesOf returns the field values of some calls, by call.
func (s *Segment) valuesOf(some callset.Set) []fact.Values {
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

// Build returns the segment as one file. It must have at most MaxCalls calls.
func (b *Builder) Build() ([]byte, error) {
	if len(b.calls) > MaxCalls {
		return nil, errLarge
	}
	slices.SortFunc(b.calls, func(x, y draftCall) int { return bytes.Compare(y.id[:], x.id[:]) })
	rank := b.ranks()
	var out [sections][]byte
	size := b.size()
	having := newPostings(len(b.words), len(b.calls), size/10)
	var cast castWriter
	voiced := b.version() >= voices
	if voiced {
		having.entry = make([]uint32, len(b.words))
	}
	pairs := newPostings(b.hashes(), len(b.calls), size/4)
	out[filesAt] = make([]byte, 0, size+size/16)
	final := map[*taken][]uint32{nil: rank}
	var file tokenfile.File
	for i := range b.calls {
		c := &b.calls[i]
		if final[c.lexicon] == nil {
			final[c.lexicon] = c.lexicon.ranked(rank)
		}
		out[callsAt] = appendCall(out[callsAt], c, b.version())
		out[tokensAt] = binary.LittleEndian.AppendUint32(out[tokensAt], uint32(len(out[filesAt])))
		tokens, err := renumber(&file, c.tokens, final[c.lexicon])
		if err != nil {
			return nil, err
		}
		out[filesAt] = append(out[filesAt], tokens...)
		having.next()
		for _, p := range file.Parts {
			for at := p.From; at < p.To && p.Field == phrase.Transcript; at++ {
				having.addSaid(file.Words[at], voice(p.Speaker))
			}
		}
		for _, n := range c.marked {
			having.addSaid(rank[n], 0)
		}
		if voiced {
			having.width = append(having.width, widthOf(len(file.Speakers)))
			cast.add(appendCast(nil, &file))
		}
		pairs.next()
		pairs.addPairs(&file)
	}
	out[tokensAt] = binary.LittleEndian.AppendUint32(out[tokensAt], uint32(len(out[filesAt])))
	out[wordsAt], out[textsAt] = b.sorted(rank)
	out[postingsAt], out[pairsAt] = having.encode(), pairs.encode()
	if voiced {
		out[castsAt] = cast.section()
	}
	for _, d := range b.columns() {
		out[fieldsAt], out[columnsAt] = d.append(out[fieldsAt], out[columnsAt])
	}
	return join(out, b.version(), len(b.words), len(pairs.last))
}

// hashes returns the number of lists of pairs.
func (b *Builder) hashes() int {
	if len(b.words) == 0 {
		return leastPairs
	}
	return hashesOf(len(b.calls))
}

// version returns the version of the format that the builder writes.
func (b *Builder) version() int { return cmp.Or(b.Version, Written) }

// size returns the total size of the token files.
func (b *Builder) size() (bytes int) {
	for i := range b.calls {
		bytes += len(b.calls[i].tokens)
	}
	return bytes
}

// ranked returns the final number of each word number in a lexicon's token files.
func (t *taken) ranked(rank []uint32) []uint32 {
	final := make([]uint32, len(t.numbers))
	for i, n := range t.numbers {
		if n != unassigned {
			final[i] = rank[n]
		}
	}
	return final
}

func appendCall(b []byte, c *draftCall, version int) []byte {
	b = append(b, c.id[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(c.change))
	if b = append(b, c.flags); version < voices {
		return b
	}
	return binary.LittleEndian.AppendUint64(b, uint64(c.revision))
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
func join(all [sections][]byte, version, numbers, hashes int) ([]byte, error) {
	section, header := all[:sectionsOf(version)], headerOf(version)
	size := header
	for _, s := range section {
		if size += len(s); len(s) > math.MaxUint32 {
			return nil, errLarge
		}
	}
	data := make([]byte, header, size)
	copy(data, "pas")
	data[3] = byte(version)
	binary.LittleEndian.PutUint32(data[numbersAt:], uint32(numbers))
	binary.LittleEndian.PutUint32(data[hashesAt:], uint32(hashes))
	for i, s := range section {
		binary.LittleEndian.PutUint64(data[extentsAt+16*i:], uint64(len(data)))
		binary.LittleEndian.PutUint64(data[extentsAt+16*i+8:], uint64(len(s)))
		data = append(data, s...)
	}
	binary.LittleEndian.PutUint32(data[checksumAt:], checksum(data))
	return data, nil
}

// errLarge is the error for more calls than fit into a segment.
var errLarge = errors.New("analytic segment: more than 4096 calls, or than 4 GB of one kind")
