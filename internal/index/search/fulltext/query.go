// Package fulltext implements the query language of the media list's parameter query: which words must occur in the
// transcript, the title or the description of a recording.
//
// Parse checks a query, Need returns what an index can look up for it, and Compile makes a Program that evaluates one
// call after another. The package does not read the index or the database.
package fulltext

import (
	"parley/internal/index/tokenfile"
	"parley/internal/words/phrase"
)

// Query is a parsed query. It is immutable.
type Query struct{ root node }

// node is a leaf or one of the operators.
type node interface {
	need() phrase.Need
	compile(l phrase.Lexicon) (matcher, error)
}

type (
	and  []node
	or   []node
	not  struct{ node }
	leaf struct {
		phrase phrase.Phrase
		fields phrase.Fields
	}
)

// Need returns words without which no call matches.
func (q *Query) Need() phrase.Need { return q.root.need() }

func (n and) need() phrase.Need { return phrase.NeedAll(needs(n)) }
func (n or) need() phrase.Need  { return phrase.NeedSome(needs(n)) }
func (n not) need() phrase.Need { return phrase.NeedAll(nil) }
func (n leaf) need() phrase.Need {
	return n.phrase.Need(n.fields)
}

func needs(nodes []node) []phrase.Need {
	all := make([]phrase.Need, len(nodes))
	for i, n := range nodes {
		all[i] = n.need()
	}
	return all
}

// Program is a query whose words are resolved to numbers. It is immutable and safe for concurrent use.
type Program struct{ root matcher }

// matcher is a compiled node.
type matcher interface {
	matches(f *tokenfile.File) bool
}

// Compile resolves the words of a query. It returns the errors of the lexicon.
func (q *Query) Compile(l phrase.Lexicon) (*Program, error) {
	root, err := q.root.compile(l)
	return &Program{root}, err
}

// Match reports whether a call matches. Its file must have been written with the lexicon of Compile.
func (p *Program) Match(f *tokenfile.File) bool { return p.root.matches(f) }

type (
	allOf  []matcher
	someOf []matcher
	noneOf struct{ matcher }
	never  struct{}
	occurs struct {
		places []tokenfile.Set
		fields phrase.Fields
	}
)

func (n and) compile(l phrase.Lexicon) (matcher, error) {
	all, err := compileAll(n, l)
	return allOf(all), err
}

func (n or) compile(l phrase.Lexicon) (matcher, error) {
	all, err := compileAll(n, l)
	return someOf(all), err
}

func (n not) compile(l phrase.Lexicon) (matcher, error) {
	m, err := n.node.compile(l)
	return noneOf{m}, err
}

func (n leaf) compile(l phrase.Lexicon) (matcher, error) {
	o := occurs{fields: n.fields}
	for _, place := range n.phrase.Places {
		set, err := tokenfile.Resolve(l, place)
		if err != nil {
			return nil, err
		}
		if set.Empty() {
			return never{}, nil
		}
		o.places = append(o.places, set)
	}
	return &o, nil
}

func compileAll(nodes []node, l phrase.Lexicon) ([]matcher, error) {
	all := make([]matcher, len(nodes))
	for i, n := range nodes {
		m, err := n.compile(l)
		if err != nil {
			return nil, err
		}
		all[i] = m
	}
	return all, nil
}

func (m allOf) matches(f *tokenfile.File) bool {
	for _, one := range m {
		if !one.matches(f) {
			return false
		}
	}
	return true
}

func (m someOf) matches(f *tokenfile.File) bool {
	for _, one := range m {
		if one.matches(f) {
			return true
		}
	}
	return false
}

func (m noneOf) matches(f *tokenfile.File) bool { return !m.matcher.matches(f) }

func (never) matches(*tokenfile.File) bool { return false }

func (m *occurs) matches(f *tokenfile.File) bool {
	fits := func(place int, word uint32) bool { return m.places[place].Has(word) }
	for _, p := range f.Parts {
		if !m.fields.Has(p.Field) {
			continue
		}
		if _, _, ok := phrase.Find(f.Words[p.From:p.To], 0, len(m.places), 0, fits); ok {
			return true
		}
	}
	return false
}
