// Package segment stores up to MaxCalls calls together for fast queries over many calls: for each call its token file,
// for each word the calls that have it, for each field its values. A segment is immutable; it is in memory or a
// memory-mapped file.
//
// It does not know which of its calls are current, and does not interpret queries (package columnar, package query).
//
// # Format
//
//	"pas", version        4 bytes
//	sections              8 of: offset, length, 8 bytes little-endian each
//	checksum              CRC-32C of everything behind it, 4 bytes, and 4 of nothing
//	calls                 for each, the newest first: id 16 bytes, change 8, indexed 1
//	tokens                for each call and the end: offset into files, 4 bytes
//	files                 the token files
//	words                 for each word and the end, sorted: offset into texts, number 4 bytes each
//	texts                 the words
//	postings              for each number and the end: offset 4 bytes; then for each the calls as varints, less the one before
//	columns               see column.go
//	pairs                 see pair.go
//
// Word numbers are local to a segment; 0 is the most frequent word.
package segment

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"sort"

	"github.com/google/uuid"

	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

const (
	version  = 1
	sections = 8
	header   = 4 + 16*sections + 8
	callSize = 16 + 8 + 1
	// MaxCalls is the maximum number of calls per segment.
	MaxCalls = 4096
)

// sections of a file.
const (
	callsAt = iota
	tokensAt
	filesAt
	wordsAt
	textsAt
	postingsAt
	columnsAt
	pairsAt
)

// ErrDamaged is the error for bytes that are not a segment of this version.
var ErrDamaged = errors.New("analytic segment: corrupt, or of another version")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Segment is an open segment. It is safe for concurrent use. Calls are numbered from 0, newest first.
type Segment struct {
	data    []byte
	section [sections][]byte
	calls   int
	words   int
	columns []column
}

// Open reads a segment from bytes, which must not change while it is in use. The error is ErrDamaged.
func Open(data []byte) (*Segment, error) {
	if len(data) < header || string(data[:3]) != "pas" || data[3] != version {
		return nil, ErrDamaged
	}
	sum := binary.LittleEndian.Uint32(data[header-8:])
	if crc32.Checksum(data[header:], castagnoli) != sum {
		return nil, ErrDamaged
	}
	s := &Segment{data: data}
	for i := range s.section {
		at, length := binary.LittleEndian.Uint64(data[4+16*i:]), binary.LittleEndian.Uint64(data[12+16*i:])
		if at > uint64(len(data)) || length > uint64(len(data))-at {
			return nil, ErrDamaged
		}
		s.section[i] = data[at : at+length : at+length]
	}
	s.calls = len(s.section[callsAt]) / callSize
	s.words = len(s.section[wordsAt])/8 - 1
	if s.calls > MaxCalls || len(s.section[tokensAt]) != 4*(s.calls+1) || s.words < 0 ||
		len(s.section[postingsAt]) < 4*(s.words+1) || !s.pairsFit() {
		return nil, ErrDamaged
	}
	if err := s.openColumns(); err != nil {
		return nil, err
	}
	return s, nil
}

// Bytes returns the stored form of the segment.
func (s *Segment) Bytes() []byte { return s.data }

// Len returns the number of calls.
func (s *Segment) Len() int { return s.calls }

// ID returns the id of a call.
func (s *Segment) ID(call int) media.ID { return media.ID(s.Key(call).String()) }

// Key returns the id of a call as 16 bytes, which sort like the ids.
func (s *Segment) Key(call int) uuid.UUID {
	return uuid.UUID(s.section[callsAt][call*callSize:][:16])
}

// Change returns the change number at which a call was read.
func (s *Segment) Change(call int) int64 {
	return int64(binary.LittleEndian.Uint64(s.section[callsAt][call*callSize+16:]))
}

// Indexed reports whether a call was posted for the analytic database.
func (s *Segment) Indexed(call int) bool { return s.section[callsAt][call*callSize+24] == 1 }

// Tokens returns the token file of a call, empty if it is corrupt.
func (s *Segment) Tokens(call int) []byte {
	from, to := s.uint32(tokensAt, call), s.uint32(tokensAt, call+1)
	if from > to || int(to) > len(s.section[filesAt]) {
		return nil
	}
	return s.section[filesAt][from:to]
}

func (s *Segment) uint32(section, i int) uint32 {
	return binary.LittleEndian.Uint32(s.section[section][4*i:])
}

// text returns the word at a position in the sorted words.
func (s *Segment) text(place int) string {
	words := s.section[wordsAt]
	from, to := binary.LittleEndian.Uint32(words[8*place:]), binary.LittleEndian.Uint32(words[8*place+8:])
	if from > to || int(to) > len(s.section[textsAt]) {
		return ""
	}
	return string(s.section[textsAt][from:to])
}

func (s *Segment) number(place int) uint32 {
	return binary.LittleEndian.Uint32(s.section[wordsAt][8*place+4:])
}

// Words returns the words by number.
func (s *Segment) Words() []string {
	words := make([]string, s.words)
	for place := range words {
		if n := s.number(place); int(n) < len(words) {
			words[n] = s.text(place)
		}
	}
	return words
}

// Numbers implements phrase.Lexicon.
func (s *Segment) Numbers(p phrase.Pattern) ([]uint32, error) {
	place := sort.Search(s.words, func(i int) bool { return s.text(i) >= p.Text })
	if p.Kind == phrase.Exact {
		if place < s.words && s.text(place) == p.Text {
			return []uint32{s.number(place)}, nil
		}
		return nil, nil
	}
	var all []uint32
	for ; place < s.words; place++ {
		if text := s.text(place); len(text) < len(p.Text) || text[:len(p.Text)] != p.Text {
			break
		}
		all = append(all, s.number(place))
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return all, nil
}
