package tokenfile

import (
	"encoding/binary"
	"errors"
	"time"

	"parley/internal/words/packed"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// version is the first byte of a file. A file of another version causes its index to be rebuilt.
const version = 1

// ErrDamaged is the error for bytes that are not a token file of this version.
var ErrDamaged = errors.New("token file: corrupt, or of another version")

// Encode returns the file of a call whose words have the given numbers.
func Encode(s *Source, number func(word string) uint32) []byte {
	numbers := make([]uint32, len(s.Words))
	for i, w := range s.Words {
		numbers[i] = number(w)
	}
	return EncodeNumbers(s, numbers)
}

// EncodeNumbers returns the file of a call from the numbers of its words:
//
//	version                        1 byte
//	length of the media in ms      varint, as all numbers that follow
//	speakers                       count, and for each: role, channel + 1, length of the name, name
//	parts                          count, and for each: 0 for the title, 1 for the description, else 2 + speaker; how many words
//	words                          for each its number
//	unit                           milliseconds in which times are counted
//	times of the transcript        for each word: start less the end of the word before (zigzag), duration
func EncodeNumbers(s *Source, numbers []uint32) []byte {
	b := make([]byte, 0, 64+4*len(s.Words)+2*len(s.Times))
	b = append(b, version)
	b = binary.AppendUvarint(b, uint64(max(s.Length.Milliseconds(), 0)))
	b = binary.AppendUvarint(b, uint64(len(s.Speakers)))
	for _, k := range s.Speakers {
		b = binary.AppendUvarint(b, uint64(k.Role))
		b = binary.AppendUvarint(b, uint64(k.Channel+1))
		b = binary.AppendUvarint(b, uint64(len(k.Name)))
		b = append(b, k.Name...)
	}
	b = binary.AppendUvarint(b, uint64(len(s.Parts)))
	for _, p := range s.Parts {
		b = binary.AppendUvarint(b, partCode(p))
		b = binary.AppendUvarint(b, uint64(p.To-p.From))
	}
	for _, n := range numbers {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return appendTimes(b, s.Times)
}

func partCode(p Part) uint64 {
	switch p.Field {
	case phrase.Title:
		return 0
	case phrase.Description:
		return 1
	}
	return 2 + uint64(p.Speaker)
}

func appendTimes(b []byte, times []Time) []byte {
	unit := int64(0)
	for _, t := range times {
		if unit = divisor(divisor(unit, t.Start), t.End); unit == 1 {
			break
		}
	}
	unit = max(unit, 1)
	b = binary.AppendUvarint(b, uint64(unit))
	before := int64(0)
	for _, t := range times {
		b = binary.AppendVarint(b, (t.Start-before)/unit)
		b = binary.AppendUvarint(b, uint64((t.End-t.Start)/unit))
		before = t.End
	}
	return b
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// File is an open token file. Open reuses its memory, so its contents are valid until the next Open. The parts of the
// transcript come first.
type File struct {
	Length   time.Duration
	Speakers []transcript.Speaker
	Parts    []Part
	Words    []uint32 // those that Until has decoded; the others have no meaning

	known int    // number of decoded words
	rest  []byte // the encoded words and times that are not decoded
	times []Time
	timed bool // whether they are decoded
	said  int  // number of words in the transcript
}

// Decode opens a file and decodes all words.
func (f *File) Decode(data []byte) error {
	if err := f.Open(data); err != nil {
		return err
	}
	return f.Until(len(f.Words))
}

// Open reads what stands before the words of a file. It retains data until the next Open.
func (f *File) Open(data []byte) error {
	if len(data) == 0 || data[0] != version {
		return ErrDamaged
	}
	r := packed.Reader{Rest: data[1:]}
	f.Length = time.Duration(r.Uvarint()) * time.Millisecond
	f.readSpeakers(&r)
	total := f.readParts(&r)
	if r.Broken || total > len(r.Rest) { // a word takes at least one byte
		return ErrDamaged
	}
	if cap(f.Words) < total {
		f.Words = make([]uint32, total+total/4)
	}
	f.Words = f.Words[:total]
	f.known, f.rest, f.times, f.timed = 0, r.Rest, f.times[:0], false
	return nil
}

// Until decodes Words[:n], unless they are decoded.
func (f *File) Until(n int) error {
	b := f.rest
	for ; f.known < n; f.known++ {
		switch { // most numbers are small
		case len(b) > 0 && b[0] < 0x80:
			f.Words[f.known], b = uint32(b[0]), b[1:]
			continue
		case len(b) > 1 && b[1] < 0x80:
			f.Words[f.known], b = uint32(b[0]&0x7f)|uint32(b[1])<<7, b[2:]
			continue
		}
		v, size := binary.Uvarint(b)
		if size <= 0 || v > 1<<32-1 {
			return ErrDamaged
		}
		f.Words[f.known], b = uint32(v), b[size:]
	}
	f.rest = b
	return nil
}

// readSpeakers reads the speakers. A name that was at the same place in the last file is not copied again.
func (f *File) readSpeakers(r *packed.Reader) {
	last := f.Speakers
	f.Speakers = f.Speakers[:0]
	for i := range r.Count(1) {
		role, channel, name := r.Uvarint(), r.Uvarint(), r.Bytes()
		k := transcript.Speaker{Role: transcript.Role(role), Channel: int(channel) - 1}
		if i < len(last) && last[i].Name == string(name) {
			k.Name = last[i].Name
		} else {
			k.Name = string(name)
		}
		f.Speakers = append(f.Speakers, k)
	}
}

// readParts reads the parts and returns the total number of words.
func (f *File) readParts(r *packed.Reader) (total int) {
	f.Parts, f.said = f.Parts[:0], 0
	for range r.Count(1) {
		code, n := r.Uvarint(), r.Uvarint()
		if n > uint64(len(r.Rest)) || code > 1+uint64(len(f.Speakers)) {
			r.Break()
			return 0
		}
		p := Part{Field: phrase.Title, From: total, To: total + int(n)}
		switch {
		case code == 1:
			p.Field = phrase.Description
		case code > 1:
			p.Field, p.Speaker = phrase.Transcript, int(code-2)
			f.said = p.To
		}
		total = p.To
		f.Parts = append(f.Parts, p)
	}
	return total
}

// Times returns the times of the words of the transcript, which come first in Words. It decodes them on the first call.
func (f *File) Times() ([]Time, error) {
	if f.timed {
		return f.times, nil
	}
	if err := f.Until(len(f.Words)); err != nil {
		return nil, err
	}
	r := packed.Reader{Rest: f.rest}
	unit, before := int64(r.Uvarint()), int64(0)
	f.times = f.times[:0]
	for range f.said {
		start := before + r.Varint()*unit
		before = start + int64(r.Uvarint())*unit
		f.times = append(f.times, Time{start, before})
	}
	if r.Broken {
		return nil, ErrDamaged
	}
	f.timed = true
	return f.times, nil
}
