package columnar

import (
	"cmp"
	"encoding/binary"

	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/words/phrase"
)

// search finds plain phrases in the encoded words of the calls of a segment. It implements query.Search for the present
// call of a cursor.
type search struct {
	*cursor
	phrases []*tokenfile.Phrase // by term
	names   []query.Speaker     // that the program has
	scan    tokenfile.Scan
	call    int              // that scan has, -1 for none
	casts   map[string]*cast // by key
	key     []byte           // the encoded speakers of a call, and the first two to speak

	// What accepts looks for.
	in     phrase.Fields
	meant  []bool // nil: anybody
	accept func(in phrase.Field, speaker int) bool
}

// cast is the speakers of some calls.
type cast struct {
	query.Cast
	meant [][]bool // by the names of the program; nil: not resolved yet
}

// newSearch returns the search for the phrases of a matcher in the calls of a cursor.
func newSearch(c *cursor, p *query.Program, m *query.Matcher) *search {
	s := &search{cursor: c, names: p.Speakers(), call: -1, casts: map[string]*cast{}}
	for _, numbers := range m.Phrases() {
		var encoded *tokenfile.Phrase
		if numbers != nil {
			encoded = tokenfile.NewPhrase(numbers)
		}
		s.phrases = append(s.phrases, encoded)
	}
	s.accept = s.accepts
	return s
}

func (s *search) accepts(in phrase.Field, speaker int) bool {
	return s.in.Has(in) && (s.meant == nil || s.meant[speaker])
}

// Has implements query.Search.
func (s *search) Has(term int, in phrase.Fields, who int) (has, known bool) {
	if s.call != s.cursor.call {
		if err := s.scan.Open(s.Tokens(s.cursor.call)); err != nil {
			s.err = cmp.Or(s.err, err)
			return false, true
		}
		s.call = s.cursor.call
	}
	s.in, s.meant = in, nil
	if who >= 0 && s.names[who] != "" {
		if s.meant = s.speaking(who); s.meant == nil {
			return false, true
		}
	}
	p := s.phrases[term]
	has, err := s.scan.Has(p, s.accept)
	s.err = cmp.Or(s.err, err)
	cut := who >= 0 && s.scan.Voices() == 1 && p.Words() > 1 // the turns of one speaker may be cut within the phrase
	return has, !has || !cut
}

// speaking returns which speakers of the present call a name of the program refers to; nil after an error.
func (s *search) speaking(who int) []bool {
	first, second, err := s.scan.First()
	if err != nil {
		s.err = cmp.Or(s.err, err)
		return nil
	}
	s.key = append(s.key[:0], s.scan.Speakers...)
	s.key = binary.AppendVarint(binary.AppendVarint(s.key, int64(first)), int64(second))
	c := s.casts[string(s.key)]
	if c == nil {
		speakers, err := tokenfile.DecodeSpeakers(s.scan.Speakers)
		if err != nil {
			s.err = cmp.Or(s.err, err)
			return nil
		}
		c = &cast{query.Cast{Speakers: speakers, First: [2]int{first, second}}, make([][]bool, len(s.names))}
		s.casts[string(s.key)] = c
	}
	if c.meant[who] == nil {
		c.meant[who] = append([]bool{}, c.Meant(s.names[who])...)
	}
	return c.meant[who]
}
