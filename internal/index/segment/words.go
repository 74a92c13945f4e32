package segment

import (
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"parley/internal/words/phrase"
)

// lexicon reads the words of a segment in sorted order.
type lexicon struct {
	segment      *Segment
	words, texts reader
}

func (s *Segment) lexicon() lexicon {
	return lexicon{s, s.reader(wordsAt), s.reader(textsAt)}
}

// text returns the word at a place, valid until the next call; empty after an error.
func (l *lexicon) text(place int) []byte {
	b := l.words.take(8*place, 16)
	if b == nil {
		return nil
	}
	from, to := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[8:]))
	return l.texts.take(from, to-from)
}

// number returns the number of the word at a place.
func (l *lexicon) number(place int) uint32 {
	b := l.words.take(8*place+4, 4)
	if b == nil {
		return 0
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) >= uint64(l.segment.numbers) {
		l.segment.fail(ErrDamaged)
		return 0
	}
	return n
}

// Words returns the words by number. Numbers without a word have the empty text.
func (s *Segment) Words() []string {
	words := make([]string, s.numbers)
	l := s.lexicon()
	for place := range s.words {
		words[l.number(place)] = string(l.text(place))
	}
	return words
}

// Numbers implements phrase.Lexicon.
func (s *Segment) Numbers(p phrase.Pattern) ([]uint32, error) {
	l := s.lexicon()
	place := sort.Search(s.words, func(i int) bool { return string(l.text(i)) >= p.Text })
	var all []uint32
	for ; place < s.words; place++ {
		text := string(l.text(place))
		if p.Kind == phrase.Exact && text != p.Text || !strings.HasPrefix(text, p.Text) {
			break
		}
		all = append(all, l.number(place))
		if p.Kind == phrase.Exact {
			break
		}
	}
	slices.Sort(all)
	return all, s.Err()
}
