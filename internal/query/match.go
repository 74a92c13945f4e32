package query

import (
	"time"

	"parley/internal/words/phrase"
)

// Matcher is a program bound to the word numbers of a lexicon. It is immutable and safe for concurrent use.
type Matcher struct {
	program *Program
	terms   []places // by term of the program; nil for a term that does not occur
}

// places holds, for each place of a phrase, the words that match it.
type places []set

// Over binds a program to a lexicon. It returns the errors of the lexicon.
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

// Hit is one place where a condition holds: a spoken phrase, a silence or an overtalk. It lasts at least a
// millisecond.
type Hit struct {
	Speaker    int // index into Subject.Speakers, -1 for silence and overtalk
	Turn       int // index into Subject.Turns, -1 for silence and overtalk
	From, To   int // of Subject.Words, To not included; both 0 for silence and overtalk
	Start, End time.Duration
	Condition  int // index into Program.Conditions
}

// Match reports whether the condition holds for a call.
func (m *Matcher) Match(s *Subject) bool { return m.program.root.eval(m.run(s)) }

// Find reports whether the condition holds for a call and returns the hits that made it hold, ordered by start. Only
// parts that are true and not negated have hits. At most the first MostHits are returned. Hits of one phrase are
// leftmost, then shortest, and do not overlap; hits of different phrases may overlap.
func (m *Matcher) Find(s *Subject) (bool, []Hit) {
	r := m.run(s)
	r.want = wholeHits
	if !m.program.root.eval(r) {
		return false, nil
	}
	hits := inOrder(r.hits)
	return true, hits[:min(len(hits), MostHits)]
}
