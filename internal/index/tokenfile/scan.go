package tokenfile

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"parley/internal/words/packed"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Phrase is consecutive words in the encoding of files, for Scan.
type Phrase struct {
	encoded []byte
	words   int
	anchor  int // index of the byte of encoded that Scan searches for
}

// NewPhrase returns the phrase of the words with the given numbers, at least one.
func NewPhrase(numbers []uint32) *Phrase {
	p := &Phrase{words: len(numbers)}
	rarest := uint32(0)
	for _, n := range numbers {
		if r := rarity(n); r >= rarest {
			rarest, p.anchor = r, len(p.encoded)
		}
		p.encoded = binary.AppendUvarint(p.encoded, uint64(n))
	}
	return p
}

// rarity orders word numbers by how rare the first byte of their encoding is. Frequent words have small numbers. All
// numbers of several bytes with the same low bits share their first byte. By Zipf's law, it is about as frequent as
// that of the number 50.
func rarity(n uint32) uint32 {
	if n >= 0x80 {
		return 50
	}
	return n
}

// Words returns the number of words.
func (p *Phrase) Words() int { return p.words }

// next returns the index of the first occurrence of the phrase in words that begins in words[from:end], or -1.
func (p *Phrase) next(words []byte, from, end int) int {
	end = min(end, len(words)-len(p.encoded)+1)
	for from < end {
		i := bytes.IndexByte(words[from+p.anchor:end+p.anchor], p.encoded[p.anchor])
		if i < 0 {
			return -1
		}
		from += i
		// The byte before a word is the last one of the word before.
		if (from == 0 || words[from-1] < 0x80) && string(words[from:from+len(p.encoded)]) == string(p.encoded) {
			return from
		}
		from++
	}
	return -1
}

// Scan finds phrases in the encoded words of a file, without decoding them. It expects word numbers to be encoded in as
// few bytes as possible, as Encode does. Its contents are valid until the next Open.
type Scan struct {
	Speakers []byte // in the encoding of files; see DecodeSpeakers

	speakers int
	parts    []byte
	words    []byte // and the times
}

// Open finds the words of a file. It retains data.
func (s *Scan) Open(data []byte) error {
	if len(data) == 0 || data[0] != version {
		return ErrDamaged
	}
	r := packed.Reader{Rest: data[1:]}
	r.Uvarint() // length
	s.readSpeakers(&r)
	parts := r.Count(1)
	size := behind(r.Rest, 2*parts)
	if r.Broken || size < 0 {
		return ErrDamaged
	}
	s.parts, s.words = r.Rest[:size], r.Rest[size:]
	return nil
}

// readSpeakers finds the end of the speakers. Most calls have the same speakers as the call before.
func (s *Scan) readSpeakers(r *packed.Reader) {
	if len(s.Speakers) > 0 && bytes.HasPrefix(r.Rest, s.Speakers) {
		s.Speakers, r.Rest = r.Rest[:len(s.Speakers)], r.Rest[len(s.Speakers):]
		return
	}
	s.Speakers = r.Rest
	s.speakers = r.Count(1)
	for range s.speakers {
		r.Uvarint() // role
		r.Uvarint() // channel
		r.Bytes()   // name
	}
	s.Speakers = s.Speakers[:len(s.Speakers)-len(r.Rest)]
	if r.Broken {
		s.Speakers = nil
	}
}

// Voices returns the number of speakers.
func (s *Scan) Voices() int { return s.speakers }

// firstBytes is the number of bytes that Has searches before it counts the words.
const firstBytes = 256

// Has reports whether a part has the phrase that accepts returns true for. It calls accepts for parts with the phrase
// only. speaker is an index into the speakers, for parts of the transcript.
func (s *Scan) Has(p *Phrase, accepts func(in phrase.Field, speaker int) bool) (bool, error) {
	var part partWalk
	part.start(s)
	word, at, total := 0, 0, -1 // word is the number of words that end in s.words[:at]
	for from, end := 0, firstBytes; ; {
		found := p.next(s.words, from, end)
		if found < 0 {
			if end >= len(s.words) {
				return false, nil
			}
			if total < 0 {
				var err error
				if total, err = s.total(); err != nil {
					return false, err
				}
			}
			word += ends(s.words[at:end])
			if word >= total {
				return false, nil
			}
			at, from = end, end
			end += (total - word) * 3 / 2 // a word takes about that many bytes, and at least one
			end = min(end+1, len(s.words))
			continue
		}
		word += ends(s.words[at:found])
		at, from = found, found+1
		for word >= part.to {
			if ok, err := part.next(); !ok {
				return false, err
			}
		}
		if word+p.words <= part.to && accepts(part.field, part.speaker) {
			return true, nil
		}
	}
}

// First returns the first two speakers, in the order of their first turns; -1 for none.
func (s *Scan) First() (first, second int, err error) {
	var part partWalk
	part.start(s)
	first = -1
	for {
		switch ok, err := part.next(); {
		case !ok:
			return first, -1, err
		case part.field != phrase.Transcript:
		case first < 0:
			first = part.speaker
		case part.speaker != first:
			return first, part.speaker, nil
		}
	}
}

// total returns the number of words.
func (s *Scan) total() (int, error) {
	var part partWalk
	part.start(s)
	for {
		if ok, err := part.next(); !ok {
			return part.to, err
		}
	}
}

// partWalk reads the parts of a file.
type partWalk struct {
	scan     *Scan
	rest     []byte
	field    phrase.Field
	speaker  int
	from, to int
}

func (w *partWalk) start(s *Scan) { *w = partWalk{scan: s, rest: s.parts} }

// next reads the next part; false if there is none.
func (w *partWalk) next() (bool, error) {
	if len(w.rest) == 0 {
		return false, nil
	}
	code, n := w.uvarint(), w.uvarint()
	if n > uint64(len(w.scan.words)-w.to) || code > 1+uint64(w.scan.speakers) {
		return false, ErrDamaged
	}
	w.from, w.to = w.to, w.to+int(n)
	switch code {
	case 0:
		w.field, w.speaker = phrase.Title, 0
	case 1:
		w.field, w.speaker = phrase.Description, 0
	default:
		w.field, w.speaker = phrase.Transcript, int(code-2)
	}
	return true, nil
}

// uvarint reads a number. A number that is too large reads as the greatest.
func (w *partWalk) uvarint() uint64 {
	if len(w.rest) > 0 && w.rest[0] < 0x80 {
		v := w.rest[0]
		w.rest = w.rest[1:]
		return uint64(v)
	}
	v, size := binary.Uvarint(w.rest)
	if size <= 0 {
		w.rest = nil
		return 1<<64 - 1
	}
	w.rest = w.rest[size:]
	return v
}

// lastBytes are the bits that the last byte of each number has not set, in 8 bytes.
const lastBytes = 0x8080808080808080

// ends returns how many numbers end in b.
func ends(b []byte) (n int) {
	for ; len(b) >= 8; b = b[8:] {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & lastBytes)
	}
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}

// behind returns the index after the first n numbers of b, or -1 if there are fewer.
func behind(b []byte, n int) int {
	at := 0
	for ; len(b)-at >= 8; at += 8 {
		some := bits.OnesCount64(^binary.LittleEndian.Uint64(b[at:]) & lastBytes)
		if some >= n {
			break
		}
		n -= some
	}
	for ; n > 0; at++ {
		if at == len(b) {
			return -1
		}
		n -= int(^b[at] >> 7)
	}
	return at
}

// DecodeSpeakers returns speakers from the encoding of files.
func DecodeSpeakers(encoded []byte) ([]transcript.Speaker, error) {
	var f File
	r := packed.Reader{Rest: encoded}
	if f.readSpeakers(&r); r.Broken || len(r.Rest) > 0 {
		return nil, ErrDamaged
	}
	return f.Speakers, nil
}
