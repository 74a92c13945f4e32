package query

import (
	"slices"
	"strings"
	"unicode"
)

// kind is the sort of a token.
type kind uint8

const (
	ending kind = iota
	name        // identifiers and keywords
	text        // strings
	number      // with its unit, if any
	sign        // operators and brackets
)

// token is one piece of a text, from character at up to character to.
type token struct {
	kind   kind
	text   string // of strings the content; of numbers the digits
	unit   string // of numbers
	at, to int
}

var keywords = []string{
	"ALTER", "AND", "AS", "ASC", "BETWEEN", "BY", "DEFINE", "DESC", "EXPLAIN", "FALSE", "FOLLOWED", "FROM", "GROUP",
	"IN", "IS", "LIKE", "LIMIT",
	"MATCH", "NOT", "NULL", "OFFSET", "OR", "ORDER", "SAYS", "SELECT", "SLOP", "TABLE", "TRUE", "WHERE", "WITHIN",
}

func keyword(word string) bool { return slices.Contains(keywords, strings.ToUpper(word)) }

// is reports whether a token is a keyword or a sign.
func (t token) is(word string) bool {
	return (t.kind == name || t.kind == sign) && len(t.text) == len(word) && strings.EqualFold(t.text, word)
}

// lexer cuts a text into tokens.
type lexer struct {
	text []rune
	at   int
	told func(at int, message string)
}

// all returns the tokens; the last one is of kind ending.
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

// peek is the character n after the present one, 0 behind the end.
func (l *lexer) peek(n int) rune {
	if l.at+n >= len(l.text) {
		return 0
	}
	return l.text[l.at+n]
}

// skip leaves white space and comments behind.
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
				l.told(begin, "the comment is not closed; end it with */")
				l.text, l.at = l.text[:begin], begin
				return
			}
			l.at += 2
		default:
			return
		}
	}
}

// until goes on to where something holds, and reports whether it does before the end.
func (l *lexer) until(holds func() bool) bool {
	for ; l.at < len(l.text); l.at++ {
		if holds() {
			return true
		}
	}
	return false
}

// next reads one token. A character that belongs to none is a sign that fits nowhere.
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
		l.told(begin, quoted(string(r))+" means nothing here; "+meaningless(r))
	}
	return token{kind: sign, text: string(l.text[begin]), at: begin}
}

// Characters that open strings, and those that close them at the same place.
const openers = `"'“‘”’`

var closers = map[rune]string{'"': `"`, '\'': `'`, '“': `”“"`, '”': `”“"`, '‘': `’‘'`, '’': `’‘'`}

// quoted reads a string: a quote in it is doubled or stands behind a backslash.
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
	l.told(begin, "the quote is not closed")
	return string(content)
}

// number reads digits, a point with digits, and a unit that follows at once.
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

// percent leaves a percent sign behind, with the white space before it.
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

// inName reports whether a name goes on: with letters, digits, or a hyphen between such.
func (l *lexer) inName() bool {
	r := l.peek(0)
	return letter(r) || unicode.In(r, unicode.Mark, unicode.Number) || r == '-' &&
		(letter(l.peek(1)) || digit(l.peek(1)))
}

func letter(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }
func digit(r rune) bool  { return '0' <= r && r <= '9' }
