package segment

import (
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// Having returns the calls that may have consecutive words in one of some fields, and whether they are exactly those
// that have them, as for a single word. After an error (Err), it is incomplete.
func (s *Segment) Having(run phrase.NeedRun) (calls callset.Set, exact bool) {
	some := callset.New(s.calls)
	s = s.worded()
	for f := range run.Fields.All {
		some.Or(s.running(run.Patterns, f, s.having))
	}
	return some, len(run.Patterns) == 1
}

// fewEnough is the number of candidates at which they are looked at instead of further lists.
const fewEnough = 3

// running returns the calls that have consecutive words in a part of a field, possibly with false positives. Pairs of
// words come first, because they leave the fewest calls; but their lists are those of hashes. having returns the calls
// that may have a word.
func (s *Segment) running(run []phrase.Pattern, in phrase.Field, having func(phrase.Pattern) callset.Set) callset.Set {
	all := callset.New(s.calls).Fill(s.calls)
	paired := make([]bool, len(run))
	for i := 1; i < len(run); i++ {
		if run[i-1].Kind == phrase.Exact && run[i].Kind == phrase.Exact {
			all.And(s.following(run[i-1], run[i]))
			paired[i-1], paired[i] = true, true
		}
	}
	for i, p := range run {
		// Pairs are those of all fields; the transcript has nearly all of them.
		if in != phrase.Transcript || !paired[i] || all.Len() > fewEnough {
			all.And(having(phrase.Pattern{Text: mark(in) + p.Text, Kind: p.Kind}))
		}
	}
	return all
}

// having returns the calls with a word that a pattern matches.
func (s *Segment) having(p phrase.Pattern) callset.Set {
	set := callset.New(s.calls)
	numbers, _ := s.Numbers(p)
	for _, n := range numbers {
		s.said(int(n), set)
	}
	return set
}
