package tokenfile

import "parley/internal/phrase"

// Need is words without which a call cannot match, for an index to look up candidates by. It may ask for less
// than the query, never for more. It is one of the types below.
type Need interface{ need() }

// All asks for every one of its elements. Without any it asks for nothing: every call is a candidate.
type All []Need

// Some asks for at least one of its elements.
type Some []Need

// Run asks for words that follow each other in one of the fields. Its patterns are Exact, but the last may be Prefix.
type Run struct {
	Fields   Fields
	Patterns []phrase.Pattern
}

func (All) need()  {}
func (Some) need() {}
func (Run) need()  {}

// Nothing reports whether a need asks for nothing.
func Nothing(n Need) bool {
	switch n := n.(type) {
	case All:
		for _, one := range n {
			if !Nothing(one) {
				return false
			}
		}
		return true
	case Some:
		for _, one := range n {
			if Nothing(one) {
				return true
			}
		}
	}
	return false
}

// NeedOf returns what a phrase in one of some fields asks for: its words without gaps between them together, others
// each by itself.
func NeedOf(p phrase.Phrase, in Fields) Need {
	var all All
	run := Run{Fields: in}
	end := func() {
		if len(run.Patterns) > 0 {
			all = append(all, run)
		}
		run.Patterns = nil
	}
	for _, place := range p.Places {
		if place.Kind == phrase.Any {
			end()
			continue
		}
		run.Patterns = append(run.Patterns, place)
		if place.Kind == phrase.Prefix || p.Slop > 0 {
			end()
		}
	}
	end()
	return all
}
