package query

import (
	"time"

	"parley/internal/words/phrase"
)

// Matcher is a program with the numbers of its words. It is immutable and may be used by many goroutines.
type Matcher struct {
	program *Program
	terms   []places // of the terms of the program; nil for one that occurs nowhere
}

// places are the words that fit each place of a phrase.
type places []set

// Over gives a program the numbers that a lexicon has for its words. Errors are those of the lexicon.
func (p *Program) Over(l phrase.Lexicon) (*Matcher, error) {
	m := &Matcher{program: p, terms: make([]places, len(p.terms))}
	for i, t := range p.terms {
		found, err := resolve(l, t.phrase.Places)
		if err != nil {
			return nil, err
		}
		m.terms[i] = found
	}
	return m, nil
}

func resolve(l phrase.Lexicon, patterns []phrase.Pattern) (places, error) {
	all := make(places, len(patterns))
	for i, pattern := range patterns {
		if pattern.Kind == phrase.Any {
			all[i].any = true
			continue
		}
		numbers, err := l.Numbers(pattern)
		if err != nil || len(numbers) == 0 {
			return nil, err
		}
		all[i] = newSet(numbers)
	}
	return all, nil
}

// Hit is one place where a condition holds: a phrase that was said, or a silence or overtalk. It lasts at
// least a millisecond.
type Hit struct {
	Speaker    int // index into Subject.Speakers, -1 for silence and overtalk
	Turn       int // index into Subject.Turns, -1 for silence and overtalk
	From, To   int // of Subject.Words, To not included; both 0 for silence and overtalk
	Start, End time.Duration
	Condition  int // index into Program.Conditions
}

// Match reports whether the condition holds for a call.
func (m *Matcher) Match(s *Subject) bool { return m.program.root.eval(m.run(s)) }

// Find reports whether the condition holds for a call, and returns the hits of what made it hold, ordered by start:
// of parts that are true, not of what is negated, and at most the first MostHits. Hits of one phrase are leftmost, then
// shortest, and do not overlap; those of different phrases may.
func (m *Matcher) Find(s *Subject) (bool, []Hit) {
	r := m.run(s)
	r.want = wholeHits
	if !m.program.root.eval(r) {
		return false, nil
	}
	hits := inOrder(r.hits)
	return true, hits[:min(len(hits), MostHits)]
}
