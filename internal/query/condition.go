package query

import (
	"slices"
	"strings"
)

func (p *parser) condition() Condition {
	return chain(p, "OR", p.conjunction, func(parts []Condition) Condition { return Or(parts) })
}

func (p *parser) conjunction() Condition {
	return chain(p, "AND", p.negation, func(parts []Condition) Condition { return And(parts) })
}

func (p *parser) negation() Condition {
	if !p.is("NOT") {
		return guarded(p, p.primary)
	}
	p.enter()
	defer p.leave()
	begin := p.next().at
	x := p.negation()
	p.mark(begin)
	return Not{x}
}

// primary parses one condition and records whether it is a SAYS condition.
func (p *parser) primary() Condition {
	c := p.single()
	_, says := c.(Says)
	_, followed := c.(Followed)
	p.spoken = says || followed
	return c
}

// single parses one condition. Its result is meaningless if a mistake was reported.
func (p *parser) single() Condition {
	t := p.peek()
	switch {
	case t.is("(") && !p.turnGroup():
		return parenthesis(p, p.condition)
	case t.is("("), t.is("!"):
		return p.implied()
	case p.saysAhead(1):
		return p.saysOrFollowed()
	case t.is("*"):
		p.next()
		p.mark(t.at)
		return Everything{}
	case t.kind == name && !keyword(t.text) && p.ahead(1).is("(") && builtin(t.text, inCondition) != nil:
		return p.interval()
	case p.comparisonAhead():
		return p.comparison()
	case t.kind == text && (p.ahead(1).kind != name || keyword(p.ahead(1).text)):
		return p.implied()
	case t.kind == text, t.kind == name && !keyword(t.text):
		p.next()
		p.fail("SAYS", "a comparison", "AND", "OR")
	default:
		p.fail("a condition")
	}
	return Everything{}
}

// turnGroup reports whether parentheses hold words of a turn rather than conditions. The token after the closing
// parenthesis decides.
func (p *parser) turnGroup() bool {
	end := p.partner[p.at]
	return end >= 0 && slices.ContainsFunc([]string{"&&", "||", "/", "SLOP", "["}, p.tokens[end+1].is)
}

// saysAhead reports whether a speaker comes next and SAYS or NOT SAYS follows at token n.
func (p *parser) saysAhead(n int) bool {
	t := p.peek()
	who := t.kind == text || t.is("*") || t.kind == name && !keyword(t.text)
	return who && (p.ahead(n).is("SAYS") || p.ahead(n).is("NOT") && p.ahead(n+1).is("SAYS"))
}

func (p *parser) comparisonAhead() bool {
	t := p.peek()
	if t.kind != text && (t.kind != name || keyword(t.text)) {
		return false
	}
	after := p.ahead(1)
	if after.is("NOT") {
		after = p.ahead(2)
	}
	return slices.ContainsFunc([]string{":", ".", "=", "!=", "<>", "<", "<=", ">", ">=", "IN", "BETWEEN", "LIKE", "IS"},
		after.is)
}

// implied parses words whose speaker is given by an earlier SAYS.
func (p *parser) implied() Condition {
	if p.who == nil {
		p.report(p.peek().at, "the speaker is missing; %s", p.anybody())
		p.who = new(Speaker)
	}
	begin, who := p.peek().at, *p.who
	what := p.turnOr()
	p.mark(begin)
	return Says{who, what}
}

// anybody suggests to write a speaker before words.
func (p *parser) anybody() fix {
	f := fix{text: `write * SAYS before the words for any speaker, or "agent" SAYS`}
	if t := p.peek(); t.kind == text {
		f.put = "* SAYS " + quote(t.text)
	}
	return f
}

// says parses a SAYS condition; negated reports NOT SAYS.
func (p *parser) says() (s Says, negated bool) {
	begin := p.peek().at
	if !p.saysAhead(1) {
		p.fail("a speaker and SAYS")
		return s, false
	}
	if who := p.next(); !who.is("*") {
		s.Who = Speaker(who.text)
		if strings.TrimSpace(who.text) == "" {
			p.report(who.at, "the name of the speaker is empty; write * for any speaker")
		}
	}
	if negated = p.accept("NOT"); negated {
		p.enter()
		defer p.leave()
	}
	p.expect("SAYS")
	p.who = &s.Who
	s.What = p.turnOr()
	p.mark(begin)
	return s, negated
}

func (p *parser) saysOrFollowed() Condition {
	begin := p.peek().at
	first, negated := p.says()
	f := Followed{First: first}
	if p.is("FOLLOWED") || p.is("NOT", "FOLLOWED") {
		p.mustHit(begin, first, negated)
	}
	for p.is("FOLLOWED") || p.is("NOT", "FOLLOWED") {
		s := Step{Not: p.accept("NOT")}
		p.next()
		p.expect("BY")
		if p.accept("WITHIN") {
			s.Within = p.duration()
		} else if p.peek().kind == number {
			p.fail("WITHIN", "a speaker")
		}
		at := p.peek().at
		if len(f.Steps) == MaxSteps {
			p.giveUp(at, "more than %d consecutive FOLLOWED BY; use several conditions", MaxSteps)
		}
		says, not := p.says()
		s.Says = says
		f.Steps = append(f.Steps, s)
		p.mustHit(at, says, not)
	}
	switch {
	case len(f.Steps) > 0:
		p.mark(begin)
		return f
	case negated:
		p.mark(begin)
		return Not{first}
	}
	return first
}

// mustHit reports a mistake if the words cannot have hits.
func (p *parser) mustHit(at int, s Says, negated bool) {
	if !p.lost && (negated || !hitting(s.What)) {
		p.report(at, "FOLLOWED BY needs words that are said on both sides; for words that must not follow "+
			"write NOT FOLLOWED BY")
	}
}

// hitting reports whether words always have hits when they match.
func hitting(w Words) bool {
	switch w := w.(type) {
	case Term:
		return true
	case Group:
		return hitting(w.X)
	case TurnAnd:
		return slices.ContainsFunc(w, hitting)
	case CallAnd:
		return slices.ContainsFunc(w, hitting)
	case TurnOr:
		return !slices.ContainsFunc(w, func(x Words) bool { return !hitting(x) })
	case CallOr:
		return !slices.ContainsFunc(w, func(x Words) bool { return !hitting(x) })
	}
	return false
}

// interval parses an interval function, its minimum length and its window.
func (p *parser) interval() Condition {
	begin := p.peek().at
	i := Interval{Of: builtin(p.next().text, inCondition)}
	if t := parenthesis(p, p.duration); t != nil {
		i.AtLeast = *t
	}
	if p.is("[") {
		i.Window = new(p.window())
	}
	p.mark(begin)
	return i
}
