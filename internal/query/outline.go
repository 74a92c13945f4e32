package query

import (
	"cmp"
	"slices"
)

// Kind is the kind of a part of a condition.
type Kind string

// The kinds.
const (
	AndPart        Kind = "and" // of conditions, or of words over the whole call
	OrPart         Kind = "or"
	NotPart        Kind = "not"
	TurnAndPart    Kind = "turnAnd" // &&, of words within one turn
	TurnOrPart     Kind = "turnOr"
	TurnNotPart    Kind = "turnNot"
	FollowedPart   Kind = "followed"
	PhrasePart     Kind = "phrase"
	IntervalPart   Kind = "interval"
	FieldPart      Kind = "field"
	EverythingPart Kind = "everything"
)

// Outline is a condition with its place in a text, and its parts. Each part is a condition of its own: parts of the
// words of a speaker have the speaker, and the slop and the windows of the groups around them.
type Outline struct {
	Span
	Kind      Kind
	Condition Condition
	MustNot   bool // a side of NOT FOLLOWED BY
	Parts     []*Outline
}

// mark is the characters of a condition or of words.
type mark struct{ from, to int }

// Outline returns the outline of the condition of a text that Check has accepted; nil if it has none.
func (t *Draft) Outline() *Outline {
	if t.statement.Select == nil || t.statement.Select.Where == nil {
		return nil
	}
	o := outliner{source: t.source, marks: t.marks}
	return o.condition(t.statement.Select.Where)
}

// outliner makes an outline. It visits conditions and words in the order in which the parser has marked them: parts
// come before the whole.
type outliner struct {
	source []rune
	marks  []mark
}

// close completes an outline with the next mark.
func (o *outliner) close(kind Kind, c Condition, parts ...*Outline) *Outline {
	m := o.marks[0]
	o.marks = o.marks[1:]
	return &Outline{Span: span(o.source, m.from, m.to), Kind: kind, Condition: c, Parts: parts}
}

func (o *outliner) condition(c Condition) *Outline {
	switch c := c.(type) {
	case And:
		return o.close(AndPart, c, mapped(c, o.condition)...)
	case Or:
		return o.close(OrPart, c, mapped(c, o.condition)...)
	case Not:
		return o.close(NotPart, c, o.condition(c.X))
	case Says:
		return o.says(c)
	case Followed:
		parts := []*Outline{o.says(c.First)}
		for _, s := range c.Steps {
			part := o.says(s.Says)
			part.MustNot = s.Not
			parts = append(parts, part)
		}
		return o.close(FollowedPart, c, parts...)
	case Interval:
		return o.close(IntervalPart, c)
	case Everything:
		return o.close(EverythingPart, c)
	}
	return o.close(FieldPart, c)
}

// says returns the outline of the words, with the place of the whole SAYS.
func (o *outliner) says(s Says) *Outline {
	words := o.words(s.Who, s.What, nil, nil)
	words.Span = o.close("", nil).Span
	return words
}

// words returns the outline of words of a speaker in groups with a slop and windows.
func (o *outliner) words(who Speaker, w Words, slop *int, windows []Window) *Outline {
	all := func(parts []Words) []*Outline {
		return mapped(parts, func(w Words) *Outline { return o.words(who, w, slop, windows) })
	}
	grouped := func() Condition {
		if slop == nil && windows == nil {
			return Says{who, w}
		}
		return Says{who, Group{w, slop, windows}}
	}
	switch w := w.(type) {
	case CallAnd:
		return o.close(AndPart, grouped(), all(w)...)
	case CallOr:
		return o.close(OrPart, grouped(), all(w)...)
	case CallNot:
		return o.close(NotPart, grouped(), all([]Words{w.X})...)
	case TurnAnd:
		return o.close(TurnAndPart, grouped(), all(w)...)
	case TurnOr:
		return o.close(TurnOrPart, grouped(), all(w)...)
	case TurnNot:
		return o.close(TurnNotPart, grouped(), all([]Words{w.X})...)
	case Group:
		inner := o.words(who, w.X, cmp.Or(w.Slop, slop), slices.Concat(windows, w.Windows))
		inner.Span = o.close("", nil).Span
		return inner
	}
	t := w.(Term)
	return o.close(PhrasePart, Says{who, Term{t.Places, cmp.Or(t.Slop, slop), slices.Concat(windows, t.Windows)}})
}
