package query

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"parley/internal/words/phrase"
)

func (p *parser) turnOr() Words {
	return chain(p, "||", p.turnAnd, func(parts []Words) Words { return TurnOr(parts) })
}

func (p *parser) turnAnd() Words {
	return chain(p, "&&", p.turnNot, func(parts []Words) Words { return TurnAnd(parts) })
}

func (p *parser) turnNot() Words {
	switch t := p.peek(); {
	case t.is("!"):
		p.enter()
		defer p.leave()
		p.next()
		x := p.turnNot()
		p.mark(t.at)
		return TurnNot{x}
	case t.is("("):
		g := Group{X: parenthesis(p, p.callOr)}
		if p.modifiers(&g.Slop, &g.Windows); g.Slop == nil && g.Windows == nil {
			return g.X
		}
		p.mark(t.at)
		return g
	case t.kind == text:
		return p.term()
	}
	p.failFor(p.outside(), "a phrase in quotes", "(", "!")
	return Term{}
}

func (p *parser) callOr() Words {
	return chain(p, "OR", p.callAnd, func(parts []Words) Words { return CallOr(parts) })
}

func (p *parser) callAnd() Words {
	return chain(p, "AND", p.callNot, func(parts []Words) Words { return CallAnd(parts) })
}

func (p *parser) callNot() Words {
	if !p.is("NOT") {
		return guarded(p, p.turnOr)
	}
	p.enter()
	defer p.leave()
	begin := p.next().at
	x := p.callNot()
	p.mark(begin)
	return CallNot{x}
}

// term parses a phrase with its slop and windows.
func (p *parser) term() Words {
	t := p.next()
	if p.terms++; p.terms > MaxTerms {
		p.giveUp(t.at, "more than %d phrases; use several queries", MaxTerms)
	}
	parsed, err := phrase.Parse(t.text)
	if err != nil {
		p.report(t.at, "the phrase %s: %v", quoted(t.text), err)
	} else if len(parsed.Places) > MaxWords {
		p.report(t.at, "the phrase has %d words, at most %d are allowed", len(parsed.Places), MaxWords)
	}
	term := Term{Places: parsed.Places}
	p.modifiers(&term.Slop, &term.Windows)
	p.mark(t.at)
	return term
}

// modifiers parses slop and windows.
func (p *parser) modifiers(slop **int, windows *[]Window) {
	for {
		switch at := p.peek().at; {
		case p.is("/"), p.is("SLOP"):
			p.next()
			n := p.integer(MaxSlop, "a slop")
			if *slop != nil {
				p.report(at, "the slop is given twice")
			}
			*slop = &n
		case p.is("["):
			*windows = append(*windows, p.window())
		default:
			return
		}
	}
}

// integer parses a whole number of at most most.
func (p *parser) integer(most int, what string) int {
	t := p.peek()
	n, err := strconv.Atoi(t.text)
	if t.kind != number || t.unit != "" {
		p.fail("a whole number")
		return 0
	}
	p.next()
	if err != nil || n > most {
		p.report(t.at, "%s must be a whole number from 0 to %d", what, most)
		return 0
	}
	return n
}

// window parses [from, to].
func (p *parser) window() (w Window) {
	p.next()
	if !p.is(",") {
		w.From = p.time()
	}
	if !p.accept(",") {
		p.failFor(fix{text: "write a window as [0s, 30s], [-1min, ] or [, 50%]"}, ",")
	}
	if !p.is("]") {
		w.To = p.time()
	}
	p.expect("]")
	return w
}

// duration parses a time that does not count back from the end.
func (p *parser) duration() *Time {
	at := p.peek().at
	t := p.time()
	if t != nil && t.FromEnd {
		p.report(at, "a duration cannot be negative")
	}
	return t
}

// unitAhead reports whether a unit of time comes next, after white space, or a word that looks like one. A speaker
// may be named s.
func (p *parser) unitAhead() bool {
	t := p.peek()
	if t.kind != name || keyword(t.text) || p.saysAhead(1) {
		return false
	}
	_, _, known := scale(strings.ToLower(t.text))
	return known || slices.ContainsFunc([]string{")", ",", "]"}, p.ahead(1).is)
}

// time parses a number with its unit; the default unit is seconds.
func (p *parser) time() *Time {
	t := Time{FromEnd: p.accept("-")}
	n := p.peek()
	if n.kind != number {
		p.fail("a time such as 30s, 1.5min or 10%")
		return nil
	}
	p.next()
	if n.unit == "" && p.unitAhead() {
		n.unit = strings.ToLower(p.next().text)
	}
	factor, percent, ok := scale(n.unit)
	if !ok {
		p.report(n.at, "%s is not a unit of time; write ms, s, min or %%", quoted(n.unit))
		return nil
	}
	amount, err := strconv.ParseFloat(n.text, 64)
	if amount = math.Round(amount * factor); err != nil || amount > longest {
		p.report(n.at, "the time %s is too long", quoted(n.text+n.unit))
		return nil
	}
	t.Amount, t.Percent = int64(amount), percent
	return &t
}
