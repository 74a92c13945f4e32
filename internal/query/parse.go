package query

import (
	"slices"
)

// Parse parses and checks a statement. If known is nil, every name is allowed.
func Parse(source string, known *KnownNames) (*Statement, error) { return Read(source).Check(known) }

// Read parses a statement: SELECT, ALTER TABLE, or a condition alone. It normalises the case of names defined by the
// language, and expands abbreviations: MATCH, a condition alone, and words without their own SAYS.
func Read(source string) *Draft {
	p := &parser{Draft: Draft{source: []rune(source)}, resumed: -1}
	if len(p.source) > MaxLength {
		p.report(MaxLength, "the text is longer than %d characters; shorten it", MaxLength)
		return &p.Draft
	}
	return p.whole()
}

// ReadField parses the name of a field, such as metadata:team. Its statement selects that field alone; see Selected.
func ReadField(source string) *Draft {
	p := &parser{Draft: Draft{source: []rune(source)}, resumed: -1}
	if len(p.source) > MaxLength {
		p.report(MaxLength, "the name is longer than %d characters; shorten it", MaxLength)
		return &p.Draft
	}
	p.tokenize()
	f := p.field()
	p.oneValue(0, f)
	if p.Draft.statement = (&Statement{Select: &Select{Items: []Item{{Expr: f}}}}); p.peek().kind != ending {
		p.fail("the end")
	}
	return &p.Draft
}

// Selected returns the field of a statement that ReadField has parsed.
func (s *Statement) Selected() Field { return s.Select.Items[0].Expr.(Field) }

// ParseAlter parses the output of Alter.String, which may combine several statements and exceed the length limit of
// one.
func ParseAlter(source string) (*Alter, error) {
	p := &parser{Draft: Draft{source: []rune(source)}, resumed: -1, trusted: true}
	s, err := p.whole().Check(nil)
	switch {
	case err != nil:
		return nil, err
	case s.Alter == nil:
		return nil, mistaken(p.source, "expected ALTER TABLE")
	}
	return s.Alter, nil
}

// whole parses the whole text.
func (p *parser) whole() *Draft {
	p.tokenize()
	p.Draft.statement = p.statement()
	return &p.Draft
}

// tokenize splits the text into tokens.
func (p *parser) tokenize() {
	l := lexer{text: p.source, report: p.report}
	p.tokens = l.all()
	p.pair()
}

// ParseCondition returns the condition of a statement; a category uses nothing else. It is an error if there is none.
func ParseCondition(source string, known *KnownNames) (Condition, error) {
	s, err := Read(source).CheckCondition(known)
	if err != nil {
		return nil, err
	}
	return s.Select.Where, nil
}

// parser parses tokens. After an unexpected token it is lost: it consumes nothing and reports no mistakes until the
// next place where parsing can resume.
type parser struct {
	Draft
	at      int
	partner []int // for each opening parenthesis the index of the closing one, or -1
	open    []int // parentheses being parsed
	lost    bool
	gaveUp  bool // parsing has stopped for good
	resumed int  // the token at which parsing resumed after the latest mistake
	trusted bool // lists have no size limit
	selects bool // the statement is a SELECT
	matched bool // its condition is a MATCH
	spoken  bool // the latest condition was a SAYS
	depth   int
	terms   int
	who     *Speaker // of the latest SAYS
}

// pair finds the matching closing parenthesis of each opening one.
func (p *parser) pair() {
	p.partner = make([]int, len(p.tokens))
	var open []int
	for i, t := range p.tokens {
		p.partner[i] = -1
		switch {
		case t.is("("):
			open = append(open, i)
		case t.is(")") && len(open) > 0:
			p.partner[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
}

// report records a mistake at a character. After the last one allowed it stops parsing, because searching for
// suggestions is expensive.
func (p *parser) report(at int, format string, args ...any) {
	if p.mistakes.report(p.source, at, format, args...); p.mistakes.full() {
		p.lost, p.gaveUp = true, true
	}
}

// ahead returns the token n places ahead, or the end if the parser is lost.
func (p *parser) ahead(n int) token {
	if p.lost || p.at+n >= len(p.tokens) {
		return p.tokens[len(p.tokens)-1]
	}
	return p.tokens[p.at+n]
}

func (p *parser) peek() token { return p.ahead(0) }

func (p *parser) is(words ...string) bool {
	for i, w := range words {
		if !p.ahead(i).is(w) {
			return false
		}
	}
	return true
}

func (p *parser) next() token {
	t := p.peek()
	if !p.lost && t.kind != ending {
		p.at++
	}
	return t
}

// accept consumes the words if they come next.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.at += len(words)
	return true
}

// expect consumes a required word.
func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.fail(word)
	}
}

// fail reports that the current token is unexpected. Expected items in capitals are keywords.
func (p *parser) fail(expected ...string) { p.failFor(fix{}, expected...) }

// failFor is fail with a remedy; if it is empty, the current token may suggest one.
func (p *parser) failFor(remedy fix, expected ...string) {
	if p.lost {
		return
	}
	t := p.peek()
	found, hint := "the end", fix{}
	if t.kind != ending {
		found = quoted(string(p.source[t.at:t.to]))
	}
	if t.kind == name && !keyword(t.text) {
		hint = suggestion(t.text, slices.DeleteFunc(slices.Clone(expected), func(e string) bool { return !keyword(e) }))
	}
	if remedy.text == "" {
		remedy = p.remedy(t)
	}
	if hint.text == "" && remedy.text != "" {
		hint = remedy
		hint.text = "; " + remedy.text
	}
	p.report(t.at, "found %s, expected %s%s", found, choice(expected), hint)
	p.lost = true
}

// giveUp reports an exceeded limit and stops parsing.
func (p *parser) giveUp(at int, format string, args ...any) {
	if !p.lost {
		p.report(at, format, args...)
	}
	p.lost, p.gaveUp = true, true
}

// enter begins a nested construct; leave ends it.
func (p *parser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.giveUp(p.peek().at, "more than %d nested parentheses and negations; reduce the nesting", MaxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// parenthesis parses a parenthesised construct. The current token is the opening parenthesis.
func parenthesis[T any](p *parser, inner func() T) T {
	p.enter()
	p.open = append(p.open, p.at)
	p.next()
	x := inner()
	p.expect(")")
	if !p.lost {
		p.open = p.open[:len(p.open)-1]
	}
	p.leave()
	return x
}

// guarded calls read. If the parser got lost in it, guarded resumes after the construct.
func guarded[T any](p *parser, read func() T) T {
	open, depth := len(p.open), p.depth
	x := read()
	if !p.lost || p.gaveUp {
		return x
	}
	if len(p.open) > open {
		if end := p.partner[p.open[open]]; end >= 0 {
			p.at = max(p.at, end+1)
		} else {
			p.gaveUp = true
			return x
		}
		p.open = p.open[:open]
	}
	p.lost, p.depth = false, depth
	for !p.boundary() {
		if end := p.partner[p.at]; end >= 0 {
			p.at = end
		}
		p.at++
	}
	p.resumed = p.at
	return x
}

// boundary reports whether parsing can resume at the current token.
func (p *parser) boundary() bool {
	t := p.tokens[p.at]
	return t.kind == ending || slices.ContainsFunc([]string{"AND", "OR", ")", "GROUP", "ORDER", "LIMIT", "OFFSET",
		"FROM", "WHERE", "MATCH", ",", ";"}, t.is)
}

// mark records that the tokens from the one at begin to the latest one are a condition or words.
func (p *parser) mark(begin int) {
	p.marks = append(p.marks, mark{begin, p.tokens[max(p.at-1, 0)].to})
}

// chain parses operands joined by an operator; a single operand is returned as it is.
func chain[T any](p *parser, operator string, part func() T, join func([]T) T) T {
	begin := p.peek().at
	first := part()
	if !p.is(operator) {
		return first
	}
	parts := []T{first}
	for p.accept(operator) {
		parts = append(parts, part())
	}
	p.mark(begin)
	return join(parts)
}

// list parses a comma-separated list.
func list[T any](p *parser, one func() T) []T {
	all := []T{guarded(p, one)}
	for p.accept(",") {
		if len(all) == MaxList && !p.trusted {
			p.giveUp(p.peek().at, "the list has more than %d elements", MaxList)
		}
		all = append(all, guarded(p, one))
	}
	return all
}
