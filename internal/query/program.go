package query

import (
	"slices"
	"strings"

	"parley/internal/words/phrase"
)

// Program is a compiled condition. It is immutable.
type Program struct {
	condition  Condition
	root       node
	terms      []*term
	who        []Speaker // the distinct speakers
	facts      int       // number of inCalls
	conditions []string
	fields     []Field
}

// Compile compiles a condition returned by Parse.
func Compile(c Condition) *Program {
	p := &Program{condition: c}
	p.root = p.compile(c)
	return p
}

// String formats the condition in the query language.
func (p *Program) String() string { return Print(p.condition) }

// Conditions returns the texts that Hit.Condition is an index of.
func (p *Program) Conditions() []string { return slices.Clone(p.conditions) }

// Fields returns the distinct fields whose values the program reads.
func (p *Program) Fields() []Field { return slices.Clone(p.fields) }

// node is a compiled condition, or an expression of words that is evaluated within the turn of the run. eval appends
// its hits to those of the run if they are wanted; if the condition does not hold it appends none.
type node interface{ eval(r *run) bool }

type (
	allOf      []node
	someOf     []node
	noneOf     struct{ node }
	everything struct{}
	says       struct {
		who   int // index in Program.who
		what  node
		plain []*term   // see plainTerms
		facts []*inCall // conditions on the whole call that can have hits
	}
	contains struct {
		*term
		plain []*term // see plainTerms
		in    phrase.Fields
	}
	sequence struct {
		first *says
		steps []step
	}
	step struct {
		not    bool
		within *Time
		says   *says
	}
	interval struct {
		Interval
		condition int
	}
	// fieldTest is a comparison of a field.
	fieldTest struct {
		field Field
		holds func(v Value) bool
		work  func(length int) int // cost for a text of length bytes
	}

	// inCall is an expression of words that is true or false for the whole call.
	inCall struct {
		node
		number int // index in run.facts
	}
	term struct {
		number    int // index in Program.terms
		phrase    phrase.Phrase
		windows   []Window
		condition int // index in Program.conditions
	}
)

func (p *Program) compile(c Condition) node {
	switch c := c.(type) {
	case And:
		return allOf(cheapestFirst(mapped(c, p.compile)))
	case Or:
		return someOf(cheapestFirst(mapped(c, p.compile)))
	case Not:
		return noneOf{p.compile(c.X)}
	case Contains:
		return p.contains(c)
	case Says:
		return p.says(c.Who, c.What, scope{})
	case Followed:
		f := &sequence{first: p.single(c.First)}
		for _, s := range c.Steps {
			f.steps = append(f.steps, step{s.Not, s.Within, p.single(s.Says)})
		}
		return f
	case Interval:
		return &interval{c, indexIn(&p.conditions, c.String())}
	case Everything:
		return everything{}
	}
	return p.fieldTest(c)
}

// cheapestFirst sorts conditions by evaluation cost, so that a cheap one can make the others unnecessary.
func cheapestFirst(parts []node) []node {
	slices.SortStableFunc(parts, func(a, b node) int { return cost(a) - cost(b) })
	return parts
}

// cost returns the evaluation cost class of a condition. In ascending order: words; fields, which may have to be
// fetched; conditions that need the times of all words.
func cost(n node) int {
	switch n := n.(type) {
	case everything:
		return 0
	case *says, *contains:
		return 1
	case *fieldTest:
		return 2
	case *sequence:
		return 3
	case *interval:
		return 4
	case noneOf:
		return cost(n.node)
	case allOf:
		return slices.Max(mapped(n, cost))
	case someOf:
		return slices.Max(mapped(n, cost))
	}
	return 5
}

func mapped[A, B any](all []A, f func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = f(a)
	}
	return out
}

// scope holds the modifiers that groups pass to their contents.
type scope struct {
	slop    int
	windows []Window
}

func (m scope) with(slop *int, windows []Window) scope {
	if slop != nil {
		m.slop = *slop
	}
	m.windows = slices.Concat(m.windows, windows)
	return m
}

// says compiles words outside of a turn. An operator on the whole call becomes a condition for the same speaker.
func (p *Program) says(who Speaker, w Words, m scope) node {
	part := func(w Words) node { return p.says(who, w, m) }
	switch w := w.(type) {
	case CallAnd:
		return allOf(mapped(w, part))
	case CallOr:
		return someOf(mapped(w, part))
	case CallNot:
		return noneOf{part(w.X)}
	case Group:
		return p.says(who, w.X, m.with(w.Slop, w.Windows))
	}
	return p.inTurns(who, w, m)
}

// single compiles a side of FOLLOWED BY as one node with a single list of hits.
func (p *Program) single(s Says) *says { return p.inTurns(s.Who, s.What, scope{}) }

func (p *Program) inTurns(who Speaker, w Words, m scope) *says {
	s := &says{who: indexIn(&p.who, who)}
	s.what = p.words(s, who, w, m, true)
	s.plain = plainTerms(s.what)
	return s
}

// words compiles words inside of a turn. hits is false if they are negated.
func (p *Program) words(s *says, who Speaker, w Words, m scope, hits bool) node {
	part := func(w Words) node { return p.words(s, who, w, m, hits) }
	switch w := w.(type) {
	case TurnAnd:
		return allOf(mapped(w, part))
	case TurnOr:
		return someOf(mapped(w, part))
	case TurnNot:
		return noneOf{p.words(s, who, w.X, m, false)}
	case Group:
		return p.words(s, who, w.X, m.with(w.Slop, w.Windows), hits)
	case Term:
		return p.term(who, w, m.with(w.Slop, w.Windows))
	}
	c := &inCall{p.says(who, w, m), p.facts}
	p.facts++
	if hits {
		s.facts = append(s.facts, c)
	}
	return c
}

func (p *Program) term(who Speaker, w Term, m scope) *term {
	t := &term{number: len(p.terms), phrase: phrase.Phrase{Places: w.Places, Slop: m.slop}, windows: m.windows}
	shown := Term{Places: w.Places, Windows: m.windows}
	if m.slop > 0 {
		shown.Slop = &m.slop
	}
	t.condition = indexIn(&p.conditions, Says{who, shown}.String())
	p.terms = append(p.terms, t)
	return t
}

func (p *Program) contains(c Contains) *contains {
	t := &term{number: len(p.terms), phrase: c.What, condition: indexIn(&p.conditions, c.String())}
	p.terms = append(p.terms, t)
	return &contains{t, plainTerms(t), c.In}
}

// indexIn returns the index of x in a list, appending it if necessary.
func indexIn[T comparable](list *[]T, x T) int {
	i := slices.Index(*list, x)
	if i < 0 {
		i = len(*list)
		*list = append(*list, x)
	}
	return i
}

// fieldTest compiles a comparison.
func (p *Program) fieldTest(c Condition) node {
	switch c := c.(type) {
	case Compare:
		o := newOperand(c.Value)
		return p.about(c.Field, reading(1), func(v Value) bool { return o.compare(&fieldValue{Value: v}, c.Op) })
	case In:
		operands := mapped(c.Values, newOperand)
		return p.unless(c.Not, c.Field, reading(len(operands)), func(v *fieldValue) bool {
			return slices.ContainsFunc(operands, func(o operand) bool { return o.compare(v, Equal) })
		})
	case Between:
		low, high := newOperand(c.Low), newOperand(c.High)
		return p.unless(c.Not, c.Field, reading(2), func(v *fieldValue) bool {
			return low.compare(v, GreaterEqual) && high.compare(v, LessEqual)
		})
	case Like:
		pattern := newLikePattern(c.Pattern)
		return p.unless(c.Not, c.Field, pattern.work, func(v *fieldValue) bool {
			return pattern.fits(phrase.Fold(v.written()))
		})
	case Null:
		return p.about(c.Field, reading(0), func(v Value) bool { return v.Missing() != c.Not })
	}
	panic("query: a condition of an unknown type")
}

// workOfCharacter is the cost of folding and comparing one byte of a text.
const workOfCharacter = 10

// reading returns the cost of folding a text once and comparing it the given number of times.
func reading(times int) func(length int) int {
	return func(length int) int { return (1 + times) * (workOfCharacter + length) }
}

// unless compiles a test that a missing value fails, negated or not.
func (p *Program) unless(not bool, f Field, work func(length int) int, holds func(*fieldValue) bool) node {
	return p.about(f, work, func(v Value) bool { return !v.Missing() && holds(&fieldValue{Value: v}) != not })
}

func (p *Program) about(f Field, work func(length int) int, holds func(Value) bool) node {
	name := f.String()
	if !slices.ContainsFunc(p.fields, func(k Field) bool { return k.String() == name }) {
		p.fields = append(p.fields, f)
	}
	return &fieldTest{f, holds, work}
}

// written returns the value as text.
func (v Value) written() string {
	if v.kind == isText {
		return v.text
	}
	return strings.Trim(v.String(), `"`)
}
