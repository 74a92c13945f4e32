// Package spot finds the keywords of groups in a conversation: every place where a word or phrase of a group is said,
// by the word rules of the query language (package phrase).
//
// It does not parse, save or validate groups (package definition does), and does not match across turns.
package spot

import (
	"cmp"
	"strings"

	"parley/internal/words/transcript"
)

// Group is a list of keywords: words and phrases with wildcards, in the syntax of phrase.Parse. Invalid phrases match
// nothing.
type Group struct {
	Name     string
	Keywords []string
}

// Request lists the groups to find.
type Request struct {
	Index *Index
	Most  int64 // work limit of all groups together; 0: MostWork
}

// MostWork bounds the work of matching all groups on one call, to a few seconds of CPU time, and thereby the number of
// hits. The unit is work, not time, so that the result for a call is always the same: one unit is a step from one word
// to the next.
const MostWork = 1 << 27

// workOfHit is the cost of recording a hit, which is stored with the result.
const workOfHit = 500

// Result is the result of one group.
type Result struct {
	Name     string
	Score    float64              // share of its keywords that were said: 0 none, 1 all
	Keywords []transcript.Keyword // that were said, in group order; of overlapping places the first counts
}

// Find returns the result of each group of the request, in their order. Groups that exceed the work limit are left out;
// undecided lists their names. One pass over the words matches all groups, whatever the number of keywords. Only if
// this exceeds the limit, each group is matched separately with an equal share of the work, so a group that stays
// within its share is always found, whatever the others are.
func Find(t *transcript.Transcript, r *Request) (found []Result, undecided []string) {
	most := cmp.Or(r.Most, MostWork)
	n := int64(len(r.Index.groups))
	if n > 1 {
		most /= 2
	}
	if found, ok := r.Index.find(t, most); ok {
		return found, nil
	}
	found = []Result{}
	for _, g := range r.Index.groups {
		one, ok := []Result(nil), false
		if n > 1 {
			one, ok = NewIndex([]Group{g}).find(t, most/n)
		}
		if ok {
			found = append(found, one...)
		} else {
			undecided = append(undecided, g.Name)
		}
	}
	return found, undecided
}

// find matches all groups and reports whether the work limit was sufficient.
func (x *Index) find(t *transcript.Transcript, most int64) ([]Result, bool) {
	s := search{Index: x, transcript: t, words: map[string][][]int32{}, said: map[int32]*places{}, left: most}
	for _, turn := range t.Turns() {
		if s.turn(turn); s.left < 0 {
			return nil, false
		}
	}
	found := make([]Result, len(x.groups))
	for i, g := range x.groups {
		found[i] = Result{Name: g.Name, Keywords: []transcript.Keyword{}}
		for k, text := range g.Keywords {
			if p := s.said[x.ends[i][k]]; p != nil {
				found[i].Keywords = append(found[i].Keywords, transcript.Keyword{
					Text: text, Mentions: transcript.Mentions(p.speakers, p.occurrences),
				})
			}
		}
		if n := len(g.Keywords); n > 0 {
			found[i].Score = float64(len(found[i].Keywords)) / float64(n)
		}
	}
	return found, true
}

// places holds the places of one phrase.
type places struct {
	speakers    []int
	occurrences []transcript.Occurrence
	turn, end   int // where the previous place ended
}

// search is the state of matching one transcript.
type search struct {
	*Index
	transcript *transcript.Transcript
	words      map[string][][]int32 // matching patterns of the folded words of a text
	said       map[int32]*places    // by node

	left   int64 // remaining work
	turns  int
	fits   [][]int32 // matching patterns, for each word of the turn
	origin []int     // index of each in the words of the transcript
}

// turn matches one turn.
func (s *search) turn(turn transcript.Turn) {
	s.turns++
	s.fits, s.origin = s.fits[:0], s.origin[:0]
	for _, i := range turn.Words {
		w := &s.transcript.Words[i]
		if w.Kind != transcript.Punctuation {
			for _, fit := range s.patterns(w) {
				s.fits, s.origin = append(s.fits, fit), append(s.origin, i)
			}
		}
	}
	for at := range s.fits {
		s.follow(0, at, at, turn.Speaker)
	}
}

// follow descends from a node of the trie along the words of the turn, starting at word at.
func (s *search) follow(node int32, start, at, speaker int) {
	if k := s.nodes[node]; k.ends {
		s.hit(node, start, at, speaker)
	}
	if at == len(s.fits) || !s.nodes[node].goesOn {
		return
	}
	for _, p := range s.fits[at] {
		if s.left--; s.left < 0 {
			return
		}
		if next, ok := s.edges[edge{node, p}]; ok {
			s.follow(next, start, at+1, speaker)
		}
	}
}

// hit records that the phrase of a node is said from one word of the turn to another, the latter excluded.
func (s *search) hit(node int32, from, to, speaker int) {
	p := s.said[node]
	if s.left -= workOfHit; s.left < 0 {
		return
	}
	switch {
	case p == nil:
		p = &places{}
		s.said[node] = p
	case p.turn == s.turns && from < p.end:
		return
	}
	p.turn, p.end = s.turns, to
	o := transcript.Occurrence{Start: s.transcript.Words[s.origin[from]].Start}
	var exact []string
	for i := from; i < to; i++ {
		w := &s.transcript.Words[s.origin[i]]
		o.End = max(o.End, w.Start, w.End)
		if i == from || s.origin[i] != s.origin[i-1] {
			exact = append(exact, w.Text)
		}
	}
	o.Exact = strings.Join(exact, " ")
	p.speakers, p.occurrences = append(p.speakers, speaker), append(p.occurrences, o)
}
