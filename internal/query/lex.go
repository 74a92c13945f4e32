package query

import (
	"slices"
	"strings"
	"unicode"
)

// kind is the kind of a token.
type kind uint8

const (
	ending kind = iota
	name        // identifier or keyword
	text        // string literal
	number      // with an optional unit
	sign        // operator or bracket
)

// token is one token of a text: the characters from at up to, but not including, to.
type token struct {
	kind   kind
	text   string // content of a string, digits of a number
	unit   string // of a number
	at, to int
}

var keywords = []string{
	"ALTER", "AND", "AS", "ASC", "BETWEEN", "BY", "DEFINE", "DESC", "EXPLAIN", "FALSE", "FOLLOWED", "FROM", "GROUP",
	"IN", "IS", "LIKE", "LIMIT",
	"MATCH", "NOT", "NULL", "OFFSET", "OR", "ORDER", "SAYS", "SELECT", "SLOP", "TABLE", "TRUE", "WHERE", "WITHIN",
}

func keyword(word string) bool { return slices.Contains(keywords, strings.ToUpper(word)) }

// is reports whether a token is the given keyword or sign.
func (t token) is(word string) bool {
	return (t.kind == name || t.kind == sign) && len(t.text) == len(word) && strings.EqualFold(t.text, word)
}

// lexer splits a text into tokens.
type lexer struct {
	text   []rune
	at     int
	report reporter
}

// all returns the tokens; the last one has kind ending.
func (l *lexer) all() []token {
	var tokens []token
	for {
		l.skip()
		if l.at >= len(l.text) {
			return append(tokens, token{kind: ending, at: len(l.text), to: len(l.text)})
		}
		t := l.next()
		t.to = l.at
		tokens = append(tokens, t)
	}
}

// peek returns the character n places ahead, or 0 after the end.
func (l *lexer) peek(n int) rune {
	if l.at+n >= len(l.text) {
		return 0
	}
	return l.text[l.at+n]
}

// skip skips white space and comments.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		switch {
		case unicode.IsSpace(l.peek(0)) || l.peek(0) == '\ufeff':
			l.at++
		case l.peek(0) == '-' && l.peek(1) == '-':
			l.until(func() bool { return l.peek(0) == '\n' })
		case l.peek(0) == '/' && l.peek(1) == '*':
			begin := l.at
			l.at += 2
			if !l.until(func() bool { return l.peek(0) == '*' && l.peek(1) == '/' }) {
				l.report(begin, "the comment is not closed; end it with */")
				l.text, l.at = l.text[:begin], begin
				return
			}
			l.at += 2
		default:
			return
		}
	}
}

// until advances until holds returns true, and reports whether that happened before the end.
func (l *lexer) until(holds func() bool) bool {
	for ; l.at < len(l.text); l.at++ {
		if holds() {
			return true
		}
	}
	return false
}

// next reads one token. An unexpected character becomes a sign that the parser rejects.
func (l *lexer) next() token {
	begin := l.at
	switch r := l.peek(0); {
	case strings.ContainsRune(openers, r):
		return token{kind: text, text: l.quoted(), at: begin}
	case digit(r):
		return l.number()
	case letter(r):
		l.until(func() bool { return !l.inName() })
		return token{kind: name, text: string(l.text[begin:l.at]), at: begin}
	}
	for _, s := range [...]string{"&&", "||", "<=", ">=", "<>", "!="} {
		if l.peek(0) == rune(s[0]) && l.peek(1) == rune(s[1]) {
			l.at += 2
			return token{kind: sign, text: s, at: begin}
		}
	}
	l.at++
	if r := l.text[begin]; !strings.ContainsRune("*()[],;:.=<>!/-", r) {
		l.report(begin, "unexpected character %s; %s", quoted(string(r)), meaningless(r))
	}
	return token{kind: sign, text: string(l.text[begin]), at: begin}
}

// Opening quotes, and at the same index the closing ones.
const openers = `"'“‘”’`

var closers = map[rune]string{'"': `"`, '\'': `'`, '“': `”“"`, '”': `”“"`, '‘': `’‘'`, '’': `’‘'`}

// quoted reads a string. A quote inside it is doubled or escaped with a backslash.
func (l *lexer) quoted() string {
	begin, close := l.at, closers[l.peek(0)]
	var content []rune
	for l.at++; l.at < len(l.text); l.at++ {
		switch r := l.peek(0); {
		case r == '\\' && l.at+1 < len(l.text):
			l.at++
			content = append(content, l.peek(0))
		case strings.ContainsRune(close, r) && l.peek(1) == r:
			l.at++
			content = append(content, r)
		case strings.ContainsRune(close, r):
			l.at++
			return string(content)
		default:
			content = append(content, r)
		}
	}
	l.report(begin, "the quote is not closed")
	return string(content)
}

// number reads digits, an optional fraction, and a unit without white space before it.
func (l *lexer) number() token {
	t := token{kind: number, at: l.at}
	l.until(func() bool { return !digit(l.peek(0)) })
	if l.peek(0) == '.' && digit(l.peek(1)) {
		l.at++
		l.until(func() bool { return !digit(l.peek(0)) })
	}
	t.text = string(l.text[t.at:l.at])
	begin := l.at
	l.until(func() bool { return !letter(l.peek(0)) && !digit(l.peek(0)) })
	t.unit = strings.ToLower(string(l.text[begin:l.at]))
	if t.unit == "" && l.percent() {
		t.unit = "%"
	}
	return t
}

// percent skips a percent sign and the white space before it, and reports whether there was one.
func (l *lexer) percent() bool {
	at := l.at
	l.until(func() bool { return !unicode.IsSpace(l.peek(0)) })
	if l.peek(0) == '%' {
		l.at++
		return true
	}
	l.at = at
	return false
}

// inName reports whether the current character continues a name: a letter, a digit, or a hyphen between them.
func (l *lexer) inName() bool {
	r := l.peek(0)
	return letter(r) || unicode.In(r, unicode.Mark, unicode.Number) || r == '-' &&
		(letter(l.peek(1)) || digit(l.peek(1)))
}

func letter(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }
func digit(r rune) bool  { return '0' <= r && r <= '9' }
