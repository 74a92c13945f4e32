// Package segment stores up to MaxCalls calls together for fast queries over many calls: for each call its token file,
// for each word the calls that have it, for each field its values. A segment is immutable. It is read through a Source:
// bytes in memory, a memory-mapped file, or encrypted bytes, of which only the blocks in use are decrypted (Blocks).
//
// It does not know which of its calls are current, and does not interpret queries (package columnar, package query).
//
// # Format
//
//	"pas", version        4 bytes
//	checksum              CRC-32C of everything after it and of the 4 bytes before it, 4 bytes little-endian, like all
//	                      numbers of fixed size
//	numbers               how many word numbers there are, 4 bytes
//	hashes                how many lists of pairs there are, 4 bytes
//	sections              10 of: offset, length, 8 bytes each
//	fields                the directory of the columns, see column.go
//	calls                 for each, the newest first: id 16 bytes, change 8, flags 1, revision of the values 8 (version 2
//	                      has none: it is the change)
//	tokens                for each call and the end: offset into files, 4 bytes
//	columns               see column.go
//	words                 for each word and the end, sorted: offset into texts, number, 4 bytes each; words of titles and
//	                      of descriptions are there after a mark, too (see mark.go)
//	texts                 the words
//	postings              for each number the calls that have the word, see posting.go, and who says it, see voice.go
//	pairs                 see pair.go
//	files                 the token files
//	casts                 the speakers of the calls, see voice.go
//
// Version 2 has neither casts nor who says a word. Its checksum does not cover the version.
//
// Opening a segment reads the header and the directory. Word numbers are local to a segment; 0 is the most frequent
// word. A number without a word is possible: calls were removed that alone had it.
package segment

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"parley/internal/words/media"
)

const (
	// Written is the version of the format that a Builder writes by default.
	Written = 3
	// Oldest and Latest are the versions that can be read.
	Oldest = 2
	Latest = 3

	sections   = 10
	checksumAt = 4
	numbersAt  = 8
	hashesAt   = 12
	extentsAt  = 16
	header     = extentsAt + 16*sections
	changeAt   = 16 // of a call
	flagsAt    = changeAt + 8
	revisionAt = flagsAt + 1
	// MaxCalls is the maximum number of calls per segment.
	MaxCalls = 4096
)

// sections of a file, in order.
const (
	fieldsAt = iota
	callsAt
	tokensAt
	columnsAt
	wordsAt
	textsAt
	postingsAt
	pairsAt
	filesAt
	castsAt
)

// flags of a call.
const (
	indexed    = 1 << iota // posted for the analytic database
	searchable             // found by the media list's query
	readable               // finished, with a result
	bare                   // its words and values are in the database only
)

// ErrDamaged is the error for bytes that are not a segment; ErrVersion for a segment that a later program has written. A
// program writes the version that it can read itself and that programs of the version before can read.
var (
	ErrDamaged = errors.New("segment: corrupt")
	ErrVersion = errors.New("segment: of another version of the program")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Segment is an open segment. It is safe for concurrent use. Calls are numbered from 0, newest first. After reading,
// check Err.
type Segment struct {
	layout
	columns []column
	words   *Words // in another file; nil: in this one
	err     atomic.Pointer[error]
}

// layout is where things are in a source.
type layout struct {
	source   Source
	version  int
	section  [sections]extent
	callSize int
	calls    int
	spelled  int           // words with a text
	numbers  int           // of words
	hashes   int           // of pairs
	casts    func() *casts // read when they are first needed
}

// callSize returns the size of a call of a version.
func callSize(version int) int {
	if version < voices {
		return revisionAt
	}
	return revisionAt + 8
}

// Open opens a segment. The checksum is verified for Plain sources alone; encrypted ones verify each block. The error
// is ErrDamaged, ErrVersion, or that of the source.
func Open(source Source) (*Segment, error) {
	if source.Size() < headerOf(Oldest) {
		return nil, ErrDamaged
	}
	head, err := source.Range(0, min(header, source.Size()))
	if err != nil {
		return nil, err
	}
	if string(head[:3]) != "pas" {
		return nil, ErrDamaged
	}
	s := &Segment{layout: layout{source: source, version: int(head[3]), callSize: callSize(int(head[3]))}}
	switch {
	case s.version < Oldest || s.version > Latest:
		return nil, ErrVersion
	case len(head) < headerOf(s.version):
		return nil, ErrDamaged
	}
	if p, whole := source.(plain); whole && checksum(p.data) != binary.LittleEndian.Uint32(p.data[checksumAt:]) {
		return nil, ErrDamaged
	}
	for i := range sectionsOf(s.version) {
		b := head[extentsAt+16*i:]
		at, size := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		if at > uint64(source.Size()) || size > uint64(source.Size())-at {
			return nil, ErrDamaged
		}
		s.section[i] = extent{int(at), int(size)}
	}
	s.calls, s.spelled = s.section[callsAt].size/s.callSize, s.section[wordsAt].size/8-1
	s.numbers = int(binary.LittleEndian.Uint32(head[numbersAt:]))
	s.hashes = int(binary.LittleEndian.Uint32(head[hashesAt:]))
	if !s.fits() {
		return nil, ErrDamaged
	}
	s.casts = sync.OnceValue(s.readCasts)
	s.openColumns()
	return s, s.Err()
}

// sectionsOf returns the number of sections of a version.
func sectionsOf(version int) int {
	if version < voices {
		return sections - 1 // without casts
	}
	return sections
}

// headerOf returns the size of the header of a version.
func headerOf(version int) int { return extentsAt + 16*sectionsOf(version) }

func checksum(data []byte) uint32 {
	sum := crc32.Checksum(data[checksumAt+4:], castagnoli)
	if data[3] >= voices {
		sum = crc32.Update(sum, castagnoli, data[:checksumAt])
	}
	return sum
}

// fits reports whether the sizes of the sections match the numbers of what they hold.
func (s *Segment) fits() bool {
	return s.calls <= MaxCalls && s.section[callsAt].size == s.callSize*s.calls &&
		s.section[tokensAt].size == 4*(s.calls+1) &&
		s.spelled >= 0 && s.spelled <= s.numbers && s.section[wordsAt].size == 8*(s.spelled+1) &&
		s.section[postingsAt].size >= 4*(s.numbers+1) &&
		s.hashes >= leastPairs && s.hashes&(s.hashes-1) == 0 && s.section[pairsAt].size >= 4*(s.hashes+1)
}

// Len returns the number of calls.
func (s *Segment) Len() int { return s.calls }

// ID returns the id of a call.
func (s *Segment) ID(call int) media.ID { return media.ID(s.Key(call).String()) }

// Key returns the id of a call as 16 bytes, which sort like the ids.
func (s *Segment) Key(call int) (id uuid.UUID) {
	copy(id[:], s.bytes(callsAt, call*s.callSize, len(id)))
	return id
}

// Change returns the change number at which the words of a call were read.
func (s *Segment) Change(call int) int64 {
	return s.number(call, changeAt)
}

// Revision returns the change number at which the values of a call were read. Since Change, its words have stayed the
// same.
func (s *Segment) Revision(call int) int64 {
	if s.version < voices {
		return s.Change(call)
	}
	return s.number(call, revisionAt)
}

// number returns a number of a call.
func (s *Segment) number(call, at int) int64 {
	b := s.bytes(callsAt, call*s.callSize+at, 8)
	if b == nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// Indexed reports whether a call was posted for the analytic database.
func (s *Segment) Indexed(call int) bool { return s.flags(call)&indexed != 0 }

// Searchable reports whether the query of the media list finds a call.
func (s *Segment) Searchable(call int) bool { return s.flags(call)&searchable != 0 }

// Readable reports whether a call is finished and has a result. The words of other calls are their title and
// description alone.
func (s *Segment) Readable(call int) bool { return s.flags(call)&readable != 0 }

// Bare reports whether the words and values of a call are in the database only.
func (s *Segment) Bare(call int) bool { return s.flags(call)&bare != 0 }

func (s *Segment) flags(call int) byte {
	b := s.bytes(callsAt, call*s.callSize+flagsAt, 1)
	if b == nil {
		return 0
	}
	return b[0]
}

// Tokens returns the token file of a call, empty after an error.
func (s *Segment) Tokens(call int) []byte {
	s = s.worded()
	from, to := s.offsets(tokensAt, call)
	return s.bytes(filesAt, from, to-from)
}

// offsets returns two consecutive offsets of the table at the start of a section. A negative length between them is an
// error for whoever reads it.
func (s *Segment) offsets(section, i int) (from, to int) {
	b := s.bytes(section, 4*i, 8)
	if b == nil {
		return 0, 0
	}
	return int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
}
