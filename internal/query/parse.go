package query

import "slices"

// Parse reads and checks a statement in one go. known may be nil: every name passes.
func Parse(source string, known *Known) (*Statement, error) { return Read(source).Check(known) }

// Read parses a statement: SELECT, ALTER TABLE, or a condition by itself. Names that the language spells are spelled
// so, whatever their case was; abbreviations are written out: MATCH, a condition by itself, words without a SAYS of
// their own.
func Read(source string) *Parsed {
	p := &parser{Parsed: Parsed{source: []rune(source)}, resumed: -1}
	if len(p.source) > MaxLength {
		p.tell(MaxLength, "the text is longer than %d characters; shorten it", MaxLength)
		return &p.Parsed
	}
	return p.whole()
}

// ParseAlter reads what String made of an Alter, which may be of several statements and longer than one of them.
func ParseAlter(source string) (*Alter, error) {
	p := &parser{Parsed: Parsed{source: []rune(source)}, resumed: -1, trusted: true}
	s, err := p.whole().Check(nil)
	switch {
	case err != nil:
		return nil, err
	case s.Alter == nil:
		return nil, &Error{[]Mistake{mistake(p.source, 0, "expected ALTER TABLE")}}
	}
	return s.Alter, nil
}

// whole reads the whole text.
func (p *parser) whole() *Parsed {
	l := lexer{text: p.source, told: func(at int, message string) { p.tell(at, "%s", message) }}
	p.tokens = l.all()
	p.pair()
	p.Parsed.statement = p.statement()
	return &p.Parsed
}

// ParseCondition reads the condition of a statement, which is all that counts of a category's. It is an
// error when there is none.
func ParseCondition(source string, known *Known) (Condition, error) {
	s, err := Parse(source, known)
	switch {
	case err != nil:
		return nil, err
	case s.Alter != nil:
		return nil, &Error{[]Mistake{mistake([]rune(source), 0, "expected a condition; ALTER TABLE has none")}}
	case s.Select.Where == nil:
		return nil, &Error{[]Mistake{mistake([]rune(source), 0,
			"expected a condition; write WHERE and what has to hold, or WHERE * for every call")}}
	}
	return s.Select.Where, nil
}

// parser reads tokens. After something that fits nowhere it is lost: it reads nothing and tells nothing more
// until the next place where it can go on.
type parser struct {
	Parsed
	tokens  []token
	at      int
	partner []int // for each opening parenthesis the place of the closing one, -1 where there is none
	open    []int // parentheses that are being read
	lost    bool
	gaveUp  bool // nothing more can be read
	resumed int  // the token at which reading went on after the latest mistake
	trusted bool // lists have no limit
	selects bool // the statement is a SELECT
	matched bool // its condition is a MATCH
	said    bool // the latest condition was of what is said
	depth   int
	terms   int
	who     *Speaker // of the latest SAYS
}

// pair finds the closing parenthesis of each opening one.
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

// tell notes a mistake at a character. After the last one that is told nothing more is read: looking for what was meant
// is expensive.
func (p *parser) tell(at int, format string, args ...any) {
	if p.mistakes.tell(p.source, at, format, args...); p.mistakes.full() {
		p.lost, p.gaveUp = true, true
	}
}

// ahead is the token n after the present one; the end where the parser is lost.
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

// accept takes the words if they come next.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.at += len(words)
	return true
}

// expect takes a word that has to come next.
func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.fail(word)
	}
}

// fail tells that something else was expected at the present token. Of the expected things those in capitals are
// keywords.
func (p *parser) fail(expected ...string) { p.failFor("", expected...) }

// failFor is fail with a remedy, empty for one that the token itself may suggest.
func (p *parser) failFor(remedy string, expected ...string) {
	if p.lost {
		return
	}
	t := p.peek()
	found, hint := "the end", ""
	if t.kind != ending {
		found = quoted(string(p.source[t.at:t.to]))
	}
	if t.kind == name && !keyword(t.text) {
		hint = meant(t.text, slices.DeleteFunc(slices.Clone(expected), func(e string) bool { return !keyword(e) }))
	}
	if remedy == "" {
		remedy = p.remedy(t)
	}
	if hint == "" && remedy != "" {
		hint = "; " + remedy
	}
	p.tell(t.at, "found %s, expected %s%s", found, listed("or", expected...), hint)
	p.lost = true
}

// giveUp tells that a limit is passed and reads nothing more.
func (p *parser) giveUp(at int, format string, args ...any) {
	if !p.lost {
		p.tell(at, format, args...)
	}
	p.lost, p.gaveUp = true, true
}

// enter begins something that may be inside itself; leave ends it.
func (p *parser) enter() {
	if p.depth++; p.depth > MaxDepth {
		p.giveUp(p.peek().at, "more than %d parentheses and negations are in each other; make it flatter", MaxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// parenthesis reads what stands in parentheses. The next token is the opening one.
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

// guarded reads something, and where the parser got lost in it goes on behind it.
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

// boundary reports whether reading can go on at the present token.
func (p *parser) boundary() bool {
	t := p.tokens[p.at]
	return t.kind == ending || slices.ContainsFunc([]string{"AND", "OR", ")", "GROUP", "ORDER", "LIMIT", "OFFSET",
		"FROM", "WHERE", "MATCH", ",", ";"}, t.is)
}

// chain reads parts that an operator joins; a single part stands for itself.
func chain[T any](p *parser, operator string, part func() T, join func([]T) T) T {
	first := part()
	if !p.is(operator) {
		return first
	}
	parts := []T{first}
	for p.accept(operator) {
		parts = append(parts, part())
	}
	return join(parts)
}

// list reads things that commas divide.
func list[T any](p *parser, one func() T) []T {
	all := []T{guarded(p, one)}
	for p.accept(",") {
		if len(all) == MaxList && !p.trusted {
			p.giveUp(p.peek().at, "more than %d things stand in a list", MaxList)
		}
		all = append(all, guarded(p, one))
	}
	return all
}
