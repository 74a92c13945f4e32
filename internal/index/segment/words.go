package segment

import (
	"bytes"
	"encoding/binary"
	"iter"
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
	s = s.worded()
	words := make([]string, s.numbers)
	l := s.lexicon()
	for place := range s.spelled {
		words[l.number(place)] = string(l.text(place))
	}
	return words
}

// Beginning yields the words with a prefix, in order, each with an upper bound of the number of calls that have it, if
// that is at least as given. The words are those of transcripts. A word is valid until the next one.
func (s *Segment) Beginning(prefix string, least int) iter.Seq2[[]byte, int] {
	return func(yield func(word []byte, calls int) bool) {
		s := s.worded()
		l, lists := s.lexicon(), s.reader(postingsAt)
		first := sort.Search(s.spelled, func(i int) bool { return string(l.text(i)) >= max(prefix, leastWord) })
		behind := first + sort.Search(s.spelled-first, func(i int) bool {
			return !bytes.HasPrefix(l.text(first+i), []byte(prefix))
		})
		for place := first; place < behind; place++ {
			b := lists.take(4*int(l.number(place)), 8)
			if b == nil {
				return
			}
			size := int(binary.LittleEndian.Uint32(b[4:])) - int(binary.LittleEndian.Uint32(b))
			calls := size * 8 / (8 + s.casts().least) // each takes at least a byte and its bits of voices
			if calls >= max(least, 1) && !yield(l.text(place), min(calls, s.calls)) {
				return
			}
		}
	}
}

// Numbers implements phrase.Lexicon.
func (s *Segment) Numbers(p phrase.Pattern) ([]uint32, error) {
	s = s.worded()
	l := s.lexicon()
	place := sort.Search(s.spelled, func(i int) bool { return string(l.text(i)) >= p.Text })
	var all []uint32
	for ; place < s.spelled; place++ {
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
