package segment

import (
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// Candidates returns the calls that have the words required by a need, nil if it requires nothing: every call is a
// candidate. After an error (Err), it is incomplete.
func (s *Segment) Candidates(n phrase.Need) callset.Set {
	switch n := n.(type) {
	case phrase.NeedAll:
		var all callset.Set
		for _, one := range n {
			c := s.Candidates(one)
			switch {
			case c == nil:
			case all == nil:
				all = c
			default:
				all.And(c)
			}
		}
		return all
	case phrase.NeedSome:
		some := callset.New(s.calls)
		for _, one := range n {
			c := s.Candidates(one)
			if c == nil {
				return nil
			}
			some.Or(c)
		}
		return some
	case phrase.NeedRun:
		return s.within(n)
	}
	return nil
}

// within returns the calls that have consecutive words in one of some fields, possibly with false positives.
func (s *Segment) within(n phrase.NeedRun) callset.Set {
	all := s.running(n.Patterns)
	if all == nil || n.Fields.Has(phrase.Transcript) {
		return all
	}
	some := callset.New(s.calls)
	for _, f := range []phrase.Field{phrase.Title, phrase.Description} {
		if !n.Fields.Has(f) {
			continue
		}
		in := callset.New(s.calls).Fill(s.calls)
		for _, p := range n.Patterns {
			in.And(s.having(phrase.Pattern{Text: mark(f) + p.Text, Kind: p.Kind}))
		}
		some.Or(in)
	}
	all.And(some)
	return all
}

// running returns the calls that have consecutive words in a part, possibly with false positives.
func (s *Segment) running(run []phrase.Pattern) (all callset.Set) {
	and := func(c callset.Set) {
		if all == nil {
			all = c
		} else {
			all.And(c)
		}
	}
	for i, p := range run {
		before := i > 0 && run[i-1].Kind == phrase.Exact && p.Kind == phrase.Exact
		behind := i+1 < len(run) && run[i+1].Kind == phrase.Exact && p.Kind == phrase.Exact
		switch {
		case before:
			and(s.following(run[i-1], p))
		case !behind: // else it is part of the next pair
			and(s.having(p))
		}
	}
	return all
}

// having returns the calls with a word that a pattern matches.
func (s *Segment) having(p phrase.Pattern) callset.Set {
	set := callset.New(s.calls)
	numbers, _ := s.Numbers(p)
	for _, n := range numbers {
		s.list(postingsAt, int(n), set)
	}
	return set
}
