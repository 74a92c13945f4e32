package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// comparison parses a field, an operator and its operands.
func (p *parser) comparison() Condition {
	begin := p.peek().at
	c := p.compared()
	p.mark(begin)
	return c
}

func (p *parser) compared() Condition {
	at := p.peek().at
	f := p.field()
	p.oneValue(at, f)
	if p.accept("IS") {
		n := Null{Field: f, Not: p.accept("NOT")}
		if !p.accept("NULL") {
			p.failFor(fix{text: "compare values with = or !="}, "NULL")
		}
		return n
	}
	not := p.accept("NOT")
	switch {
	case p.accept("IN"):
		return In{f, not, p.values(f)}
	case p.accept("BETWEEN"):
		b := Between{Field: f, Not: not, Low: p.comparable(f, LessEqual)}
		p.expect("AND")
		b.High = p.comparable(f, LessEqual)
		return b
	case p.accept("LIKE"):
		return Like{f, not, p.pattern(f)}
	case not:
		p.fail("IN", "BETWEEN", "LIKE")
	}
	op := p.operator()
	return Compare{f, op, p.comparable(f, op)}
}

func (p *parser) operator() Op {
	for _, op := range [...]Op{Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual} {
		if p.accept(string(op)) {
			return op
		}
	}
	if !p.accept("<>") {
		p.fail("=", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN", "LIKE", "IS")
	}
	return NotEqual
}

func (p *parser) values(f Field) []Value {
	if !p.is("(") {
		p.fail("(")
		return nil
	}
	return parenthesis(p, func() []Value { return list(p, func() Value { return p.comparable(f, Equal) }) })
}

func (p *parser) pattern(f Field) string {
	t := p.peek()
	if t.kind != text {
		p.fail("a pattern in quotes")
		return ""
	}
	if f.Type() == IsNumber || f.Type() == IsInstant {
		p.report(t.at, "%s is not a text; compare it with <, > or BETWEEN", f)
	}
	return p.next().text
}

// comparable parses a value and checks that it can be compared with the field.
func (p *parser) comparable(f Field, op Op) Value {
	at := p.peek().at
	v := p.value()
	o := newOperand(v)
	switch {
	case p.lost:
	case v.kind == isTruth && op != Equal && op != NotEqual:
		p.report(at, "true and false have no order; compare them with = or !=")
	case f.Type() == IsNumber && !o.isNum:
		p.report(at, "%s is a number; compare it with a number", f)
	case f.Type() == IsInstant && !o.isDate:
		p.report(at, "%s is a time; write the value as %s", f, p.date(at))
		p.lost = p.is("-")
	}
	return v
}

// date suggests how to write a time, such as one without quotes, whose year has been parsed.
func (p *parser) date(at int) fix {
	f := fix{text: `"2026-07-30" or "2026-07-30T12:00:00Z"`}
	if day := p.ahead(3); p.is("-") && p.ahead(1).kind == number && p.ahead(2).is("-") && day.kind == number {
		if text := string(p.source[at:day.to]); dated(text) {
			f.put, f.to = quote(text), day.to
		}
	}
	return f
}

func dated(text string) bool {
	_, ok := toInstant(text)
	return ok
}

// value parses a literal.
func (p *parser) value() Value {
	negative := p.accept("-")
	t := p.peek()
	switch {
	case t.kind == number:
		return p.number(negative)
	case negative:
		p.fail("a number")
	case t.kind == text:
		return Text(p.next().text)
	case p.accept("TRUE"):
		return Truth(true)
	case p.accept("FALSE"):
		return Truth(false)
	case t.is("NULL"):
		p.failFor(fix{text: "find missing values with IS NULL, present ones with IS NOT NULL"}, "a value")
	case t.is("=") && p.at > 0 && p.tokens[p.at-1].is("="):
		p.failFor(fix{text: "write a single ="}, "a value")
	case t.kind == name && !keyword(t.text):
		p.failFor(cmp.Or(p.remedy(t), fix{text: "texts must be quoted", put: quote(t.text)}), "a value")
	default:
		p.fail("a value")
	}
	return Value{}
}

// largest is the largest number allowed in a statement.
const largest = 1e15

func (p *parser) number(negative bool) Value {
	t := p.next()
	if t.unit == "" && p.unitAhead() {
		unit := p.next()
		t.at, t.unit = unit.at, unit.text
	}
	n, err := strconv.ParseFloat(t.text, 64)
	switch {
	case t.unit != "":
		p.report(t.at, "unexpected unit %s; values have no unit, and length is in milliseconds", quoted(t.unit))
	case err != nil || math.Abs(n) > largest:
		p.report(t.at, "the number is too large; the maximum is 1e15")
	}
	if negative && n != 0 {
		n = -n
	}
	return Number(n)
}

// field parses the name of a field and resolves it.
func (p *parser) field() Field {
	begin := p.peek()
	parts, places := []string{p.part(false)}, []int{begin.at}
	for p.is(":") || p.is(".") {
		p.next()
		places = append(places, p.peek().at)
		parts = append(parts, p.part(true))
	}
	if p.lost {
		return Field{Space: Metadata}
	}
	return p.resolve(parts, places)
}

// part parses one part of a field name; after a colon keywords are allowed as names.
func (p *parser) part(inner bool) string {
	t := p.peek()
	if t.kind != text && (t.kind != name || keyword(t.text) && !inner) {
		p.fail("the name of a field")
	}
	return p.next().text
}

// resolve returns the field with the given name; places are the character positions of its parts.
func (p *parser) resolve(parts []string, places []int) Field {
	media, plain := canonical(mediaNames, parts[0])
	space := slices.IndexFunc(spaceNames[1:], func(n string) bool { return strings.EqualFold(n, parts[0]) })
	switch {
	case space >= 0:
		return p.inSpace(Space(1+space), parts[1:], places)
	case plain && len(parts) == 1:
		return Field{Media, []string{media}}
	case plain:
		p.report(places[1], "%s has no keys", media)
	case strings.EqualFold(parts[0], "sentiment") && len(parts) == 1:
		return Field{Metrics, []string{callSentiment}}
	default:
		p.report(places[0], "unknown field %s%s", quoted(parts[0]), insteadOf(parts[0]))
	}
	return Field{Space: Metadata, Path: []string{parts[0]}}
}

// inSpace returns a field of a space other than Media. places are the character positions of the space and its parts.
func (p *parser) inSpace(space Space, parts []string, places []int) Field {
	f := Field{space, parts}
	switch {
	case space == Metadata && len(parts) == 0:
		f.Path = nil
	case space == Metadata:
	case len(parts) != 1:
		p.report(places[0], "%s needs one name, such as %s:\"name\"; quote a name that contains dots", spaceNames[space],
			spaceNames[space])
		p.names = append(p.names, reference{f, places[0], -1})
	default:
		p.names = append(p.names, reference{f, places[0], places[1]})
	}
	return f
}
