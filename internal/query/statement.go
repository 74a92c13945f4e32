package query

import (
	"math"
	"slices"
	"strings"
)

// table is the name of the only table.
const table = "media"

func (p *parser) statement() *Statement {
	s := &Statement{Explain: p.accept("EXPLAIN")}
	switch {
	case p.is("ALTER"):
		s.Alter = p.alter()
	case p.is("SELECT"):
		s.Select = p.selection()
	case p.peek().kind == ending:
		p.fail("a condition", "SELECT")
	case p.changes():
		p.report(p.peek().at, "statements cannot change data; expected %s",
			choice{"SELECT", "ALTER TABLE media DEFINE", "EXPLAIN", "a condition"})
		p.lost, s.Select = true, &Select{}
	case p.misspelt() != "":
		t := p.next()
		p.report(t.at, "unknown statement %s%s", quoted(t.text), suggestion(t.text, verbs))
		p.lost = true
		s.Select = &Select{}
	default:
		p.accept("WHERE")
		s.Select = &Select{Items: []Item{{Expr: Star{}}}, Where: p.condition()}
		p.tail(&columns{Select: s.Select})
	}
	p.end(s)
	return s
}

// end parses the end of a statement. It reports nothing if parsing resumed at this token after a mistake.
func (p *parser) end(s *Statement) {
	if p.accept(";") && p.peek().kind != ending {
		p.failFor(fix{text: "send one statement at a time"}, "the end")
	}
	switch t := p.peek(); {
	case t.kind == ending, p.at == p.resumed:
	case t.is(")"):
		p.report(t.at, "this closing parenthesis has no opening one")
	default:
		p.fail(p.going(s)...)
	}
}

// going lists what may follow the part of the statement parsed so far.
func (p *parser) going(s *Statement) (all []string) {
	if s.Select == nil {
		return []string{",", "the end"}
	}
	begun := s.Select.Order != nil || s.Select.Limit != nil || s.Select.Offset != nil
	if !begun && s.Select.Group == nil {
		switch {
		case s.Select.Where != nil && p.matched:
		case s.Select.Where != nil && p.spoken:
			all = append(all, "&&", "||", "AND", "OR")
		case s.Select.Where != nil:
			all = append(all, "AND", "OR")
		default:
			all = append(all, "WHERE", "MATCH")
		}
		if p.selects {
			all = append(all, "GROUP BY")
		}
	}
	for _, tail := range []struct {
		word string
		free bool
	}{{"ORDER BY", s.Select.Order == nil}, {"LIMIT", s.Select.Limit == nil}, {"OFFSET", s.Select.Offset == nil}} {
		if tail.free {
			all = append(all, tail.word)
		}
	}
	return append(all, "the end")
}

// verbs are the words that begin a statement other than a condition alone.
var verbs = []string{"SELECT", "ALTER", "EXPLAIN", "WHERE"}

// misspelt returns the verb that the first word seems to misspell, or an empty string if the text begins like a
// condition.
func (p *parser) misspelt() string {
	t := p.peek()
	if t.kind != name || keyword(t.text) || p.saysAhead(1) || p.comparisonAhead() || p.ahead(1).is("(") {
		return ""
	}
	return nearest(t.text, verbs)
}

// changes reports whether a statement begins like one that modifies rows in SQL.
func (p *parser) changes() bool {
	after := p.ahead(1)
	return slices.ContainsFunc([]string{"DELETE", "DROP", "INSERT", "UPDATE", "CREATE", "TRUNCATE"}, p.peek().is) &&
		(after.is("FROM") || after.is("INTO") || after.is("TABLE") || after.is(table))
}

func (p *parser) selection() *Select {
	c := &columns{Select: &Select{}}
	p.next()
	p.selects = true
	c.Items = list(p, func() Item {
		c.items = append(c.items, p.peek().at)
		return p.item()
	})
	p.expect("FROM")
	p.from()
	switch {
	case p.accept("MATCH"):
		p.matched = true
		c.Where = guarded(p, func() Condition { p.who = new(Speaker); return Says{What: p.turnOr()} })
	case p.accept("WHERE"):
		c.Where = p.condition()
	}
	if p.accept("GROUP") {
		p.expect("BY")
		c.Group = list(p, func() Expr {
			c.groups = append(c.groups, p.peek().at)
			return p.named(c.Select)
		})
	}
	p.tail(c)
	return c.Select
}

func (p *parser) from() {
	t := p.peek()
	if t.kind != name || keyword(t.text) {
		p.fail(table)
		return
	}
	if p.next(); !strings.EqualFold(t.text, table) {
		p.report(t.at, "unknown table %s; %s", quoted(t.text), fix{text: "the only table is " + table, put: table})
	}
}

func (p *parser) item() Item {
	i := Item{Expr: p.expr()}
	if p.accept("AS") {
		t := p.peek()
		if t.kind != text && (t.kind != name || keyword(t.text)) || t.text == "" {
			p.fail("a name for the column")
		}
		i.As = p.next().text
	}
	return i
}

func (p *parser) expr() Expr {
	switch {
	case p.accept("*"):
		return Star{}
	case p.peek().kind == name && p.ahead(1).is("("):
		return p.function()
	}
	return p.field()
}

// named parses a field, a function or an alias in GROUP BY or ORDER BY.
func (p *parser) named(s *Select) Expr {
	t := p.peek()
	single := !p.ahead(1).is(":") && !p.ahead(1).is(".") && !p.ahead(1).is("(")
	if (t.kind == name && !keyword(t.text) || t.kind == text) && single {
		for _, i := range s.Items {
			if i.As != "" && strings.EqualFold(i.As, t.text) {
				p.next()
				return Alias(i.As)
			}
		}
	}
	if t.is("*") {
		p.fail("a field", "a function", "an alias")
	}
	e := p.expr()
	p.oneValue(t.at, e)
	return e
}

// oneValue reports a mistake if an expression is the whole metadata where a single value is required.
func (p *parser) oneValue(at int, e Expr) {
	if f, ok := e.(Field); ok && f.Space == Metadata && len(f.Path) == 0 && !p.lost {
		p.report(at, "metadata needs a key here; write metadata:key")
	}
}

func (p *parser) function() Expr {
	t := p.next()
	args := parenthesis(p, func() []Expr {
		if p.is(")") {
			return nil
		}
		return list(p, p.argument)
	})
	of := builtin(t.text, inExpression)
	switch misplaced := builtin(t.text, inCondition); {
	case misplaced != nil && !p.lost:
		p.report(t.at, "%s is allowed only %s", misplaced.Name, misplaced.place())
	case of == nil && !p.lost:
		p.report(t.at, "unknown function %s%s", quoted(t.text), suggestion(t.text, functionNames(inExpression)))
	case of != nil && !p.lost && len(p.mistakes) == 0 && !of.fits(args):
		p.report(t.at, "invalid arguments of %s; write %s", of.Name, of.form)
	}
	return Function{of, args}
}

// argument parses *, a field or a value. A string is a value unless it begins a longer name.
func (p *parser) argument() Expr {
	t := p.peek()
	switch {
	case p.accept("*"):
		return Star{}
	case t.kind == number, t.is("-"), t.is("TRUE"), t.is("FALSE"), t.kind == text && !p.ahead(1).is(":") &&
		!p.ahead(1).is("."):
		return p.value()
	}
	f := p.field()
	p.oneValue(t.at, f)
	return f
}

// tail parses ORDER BY, LIMIT and OFFSET, each at most once.
func (p *parser) tail(c *columns) {
	defer func() { p.columns, c.sound = c, len(p.mistakes) == 0 }()
	s := c.Select
	for !p.lost {
		switch at := p.peek().at; {
		case p.accept("ORDER"):
			p.expect("BY")
			p.once(at, "ORDER BY", s.Order == nil)
			s.Order = list(p, func() Order {
				c.orders = append(c.orders, p.peek().at)
				o := Order{By: p.named(s)}
				o.Descending = !p.accept("ASC") && p.accept("DESC")
				return o
			})
		case p.accept("LIMIT"):
			p.once(at, "LIMIT", s.Limit == nil)
			s.Limit = new(p.integer(math.MaxInt32, "a limit"))
		case p.accept("OFFSET"):
			p.once(at, "OFFSET", s.Offset == nil)
			s.Offset = new(p.integer(math.MaxInt32, "an offset"))
		default:
			return
		}
	}
}

func (p *parser) once(at int, what string, first bool) {
	if !first {
		p.report(at, "%s is given twice", what)
	}
}

func (p *parser) alter() *Alter {
	p.next()
	p.expect("TABLE")
	p.from()
	p.expect("DEFINE")
	defined := map[string]bool{}
	return &Alter{list(p, func() Column {
		at := p.peek().at
		c := p.column()
		if name := c.Field.String(); defined[name] && !p.lost {
			p.report(at, "%s is defined twice", name)
		} else {
			defined[name] = true
		}
		return c
	})}
}

func (p *parser) column() (c Column) {
	at := p.peek().at
	if c.Field = p.field(); !p.lost && (c.Field.Space != Metadata || len(c.Field.Path) == 0) {
		p.report(at, "only metadata fields can be defined, such as metadata:score")
	}
	t := p.peek()
	types := []string{"varchar", "integer", "double", "boolean", "timestamp"}
	if t.kind != name || keyword(t.text) {
		p.fail(types...)
		return c
	}
	if c.Type = strings.ToLower(p.next().text); !slices.Contains(types, c.Type) {
		p.report(t.at, "unknown type %s, expected %s%s", quoted(t.text), choice(types), suggestion(t.text, types))
	}
	if p.is("(") {
		c.Size = parenthesis(p, func() int { return p.integer(math.MaxInt32, "a size") })
	}
	return c
}
