package query

import (
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Search finds plain phrases in the encoded words of a call, so that its words need not be decoded. A plain phrase is
// exact words that follow each other, at any time.
type Search interface {
	// Has reports whether the call has a plain phrase, by the number of its term, in a part of some fields. If who is
	// not negative, one of the speakers that Program.Speakers()[who] refers to must say it within a turn. known is
	// false if the phrase has to be looked for in the turns of the Subject.
	Has(term int, in phrase.Fields, who int) (has, known bool)
}

// Speakers returns the distinct speakers that the program names.
func (p *Program) Speakers() []Speaker { return p.who }

// Phrases returns the words of each plain phrase by term; nil for other terms and for phrases that no call has.
func (m *Matcher) Phrases() [][]uint32 {
	all := make([][]uint32, len(m.terms))
	for i, fit := range m.terms {
		if fit == nil || !m.program.terms[i].isPlain() {
			continue
		}
		for _, place := range fit {
			all[i] = append(all[i], place.low)
		}
	}
	return all
}

// isPlain reports whether a term is a plain phrase.
func (t *term) isPlain() bool {
	for _, p := range t.phrase.Places {
		if p.Kind != phrase.Exact {
			return false
		}
	}
	return len(t.windows) == 0 && (t.phrase.Slop == 0 || len(t.phrase.Places) == 1)
}

// plainTerms returns the terms of a condition within a turn that holds if one of some plain phrases is said; nil for
// another condition.
func plainTerms(n node) (all []*term) {
	switch n := n.(type) {
	case *term:
		if n.isPlain() {
			return []*term{n}
		}
	case someOf:
		for _, part := range n {
			some := plainTerms(part)
			if some == nil {
				return nil
			}
			all = append(all, some...)
		}
	}
	return all
}

// workOfSearch is the cost of searching a call for a phrase.
const workOfSearch = 100

// searched reports whether the call has one of some plain phrases, if hits are not wanted and a search finds out.
func (r *run) searched(plain []*term, in phrase.Fields, who int) (has, known bool) {
	if r.Search == nil || r.want != nothing || plain == nil {
		return false, false
	}
	known = true
	for _, t := range plain {
		if r.matcher.terms[t.number] == nil {
			continue
		}
		if !r.does(workOfSearch) {
			return false, true
		}
		switch h, k := r.Search.Has(t.number, in, who); {
		case !k:
			known = false
		case h:
			return true, true
		}
	}
	return false, known
}

// Evaluation evaluates a matcher on one Subject whose contents change between the evaluations. It is not safe for
// concurrent use.
type Evaluation struct{ run run }

// On returns an evaluation on a Subject.
func (m *Matcher) On(s *Subject) *Evaluation { return &Evaluation{*m.run(s)} }

// Match reports whether the condition holds for the present contents of the Subject.
func (e *Evaluation) Match() bool {
	r := &e.run
	clear(r.meant)
	clear(r.facts)
	clear(r.bounds)
	*r = run{Subject: r.Subject, matcher: r.matcher, many: manyHits, meant: r.meant, facts: r.facts, bounds: r.bounds,
		hits: r.hits[:0]}
	return r.matcher.program.root.eval(r)
}

// Cast is what decides which speakers of a call a name refers to.
type Cast struct {
	Speakers []transcript.Speaker
	First    [2]int // the first two speakers, in the order of their first turns; -1 for none
}

// Meant returns by index which speakers a name refers to. The empty Speaker refers to all.
func (c *Cast) Meant(who Speaker) []bool {
	s := Subject{Speakers: c.Speakers}
	for _, k := range c.First {
		if k >= 0 && k < len(c.Speakers) {
			s.Turns = append(s.Turns, Turn{Speaker: k})
		}
	}
	if who != "" {
		return s.speaking(who)
	}
	all := make([]bool, len(c.Speakers))
	for i := range all {
		all[i] = true
	}
	return all
}
