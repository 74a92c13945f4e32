// Package fulltext reads the query language of the media list's parameter query: which words must occur in the
// transcript, the title or the description of a recording. It makes conditions of package query, which evaluates them.
package fulltext

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/phrase"
)

// Limits of a query.
const (
	MaxLength = 2000 // characters
	MaxTerms  = 100  // words and phrases
	maxDepth  = 50   // nesting of parentheses
)

var fieldNames = map[string]phrase.Field{
	"transcript": phrase.Transcript, "title": phrase.Title, "description": phrase.Description,
}

// Parse reads a query:
//
//	word another           both occur, anywhere in transcript, title and description
//	word*                  a word that begins so
//	"quoted phrase"        these words one after another, in one turn or text; * alone is any one word
//	title:text             all that follows, up to the next such prefix or the end of the parentheses, in the title alone; also description:, transcript:
//	-word -"phrase" -(…)   does not occur; -title:word concerns this word or phrase alone
//	a OR b                 at least one side; it has lower precedence than juxtaposition. AND may be written between words
//	( )                    group
//
// Package phrase folds the words, so case and punctuation do not matter; OR and AND are operators only in capitals. The
// error is a fault that names the position, in characters from 1.
func Parse(text string) (query.Condition, error) { return ParseNamed("query", text) }

// ParseNamed is Parse for a query that errors call by another name.
func ParseNamed(name, text string) (query.Condition, error) {
	p := &parser{name: name, text: []rune(text)}
	if len(p.text) > MaxLength {
		return nil, p.fail(MaxLength, "the query is longer than %d characters; shorten it", MaxLength)
	}
	root, err := p.alternatives(phrase.Everywhere)
	if err != nil {
		return nil, err
	}
	if p.at < len(p.text) { // only a parenthesis ends the outermost level early
		return nil, p.fail(p.at, `")" has no matching "("; remove it, or put the text in quotes`)
	}
	if root == nil {
		return nil, p.fail(0, "the query contains no word; enter at least one letter or digit")
	}
	return root, nil
}

type parser struct {
	name  string // of the query in errors
	text  []rune
	at    int
	depth int
	terms int
}

func (p *parser) fail(at int, format string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodeParameter, "%s, character %d: %s", p.name, at+1, fmt.Sprintf(format, args...))
}

// alternatives parses operands of OR, up to a closing parenthesis or the end. It returns nil if there are no words.
func (p *parser) alternatives(fields phrase.Fields) (query.Condition, error) {
	var sides query.Or
	for {
		side, err := p.sequence(&fields)
		if err != nil {
			return nil, err
		}
		place := p.at
		another := p.operator("OR")
		if side == nil && (another || len(sides) > 0) {
			return nil, p.fail(place, "OR must be between two words; write \"or\" in lower case or in quotes to "+
				"search for the word")
		}
		if side != nil {
			sides = append(sides, side)
		}
		if !another {
			return reduced(sides, sides), nil
		}
	}
}

// reduced returns the only condition of a list, nil for an empty list, else the condition of several.
func reduced(list []query.Condition, several query.Condition) query.Condition {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return several
}

// sequence parses juxtaposed terms. A field prefix applies to all that follows, also after OR.
func (p *parser) sequence(fields *phrase.Fields) (query.Condition, error) {
	var all query.And
	for {
		p.space()
		if p.at == len(p.text) || p.text[p.at] == ')' || p.ahead("OR") {
			return reduced(all, all), nil
		}
		if place := p.at; p.operator("AND") {
			if p.space(); len(all) == 0 || p.at == len(p.text) || p.text[p.at] == ')' || p.ahead("OR") ||
				p.ahead("AND") {
				return nil, p.fail(place,
					`AND must be between two words; write "and" in lower case or in quotes to search for the word`)
			}
			continue
		}
		one, err := p.term(fields)
		if err != nil {
			return nil, err
		}
		if one != nil {
			all = append(all, one)
		}
	}
}

// term parses one word, phrase or group with its prefixes; nil for punctuation alone.
func (p *parser) term(fields *phrase.Fields) (query.Condition, error) {
	negative := p.minus()
	prefix, err := p.prefix()
	if err != nil {
		return nil, err
	}
	within := *fields
	if prefix != nil {
		if p.space(); p.at == len(p.text) || p.text[p.at] == ')' || p.ahead("OR") || p.ahead("AND") {
			return nil, p.fail(p.at, "a word or a phrase must follow the colon")
		}
		within = *prefix
		if negative = p.minus() || negative; !negative {
			*fields = within
		}
	}
	one, err := p.primary(within)
	if err != nil || one == nil || !negative {
		return one, err
	}
	return query.Not{X: one}, nil
}

func (p *parser) primary(fields phrase.Fields) (query.Condition, error) {
	start := p.at
	switch {
	case p.text[start] == '(':
		return p.group(fields)
	case quote(p.text[start]):
		for p.at++; p.at < len(p.text) && !quote(p.text[p.at]); p.at++ {
		}
		if p.at == len(p.text) {
			return nil, p.fail(start, "the quote is not closed; add a \" at the end of the phrase")
		}
		p.at++
		return p.leaf(start+1, p.at-1, fields, true)
	}
	for p.at < len(p.text) && !unicode.IsSpace(p.text[p.at]) && !quote(p.text[p.at]) && p.text[p.at] != '(' &&
		p.text[p.at] != ')' {
		p.at++
	}
	return p.leaf(start, p.at, fields, false)
}

func (p *parser) group(fields phrase.Fields) (query.Condition, error) {
	start := p.at
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(start, "more than %d nested parentheses", maxDepth)
	}
	p.at++
	inner, err := p.alternatives(fields)
	if err != nil {
		return nil, err
	}
	if p.at == len(p.text) {
		return nil, p.fail(start, `"(" is not closed; add a ")", or put the text in quotes`)
	}
	if inner == nil {
		return nil, p.fail(start, "the parentheses contain no word")
	}
	p.at++
	p.depth--
	return inner, nil
}

// leaf returns the condition for the text between two offsets; nil if it has no words, unless it was quoted.
func (p *parser) leaf(from, to int, fields phrase.Fields, quoted bool) (query.Condition, error) {
	words, err := phrase.Parse(string(p.text[from:to]))
	switch {
	case errors.Is(err, phrase.ErrEmpty) && quoted:
		return nil, p.fail(from, "the quotes contain no word")
	case errors.Is(err, phrase.ErrEmpty):
		return nil, nil
	case err != nil:
		return nil, p.fail(from, "%v, such as refund*", err)
	}
	if p.terms++; p.terms > MaxTerms {
		return nil, p.fail(from, "more than %d words and phrases; leave some out", MaxTerms)
	}
	return query.Contains{In: fields, What: words}, nil
}

// minus consumes a minus sign directly before a term.
func (p *parser) minus() bool {
	if p.at+1 < len(p.text) && p.text[p.at] == '-' && !unicode.IsSpace(p.text[p.at+1]) && p.text[p.at+1] != '-' &&
		p.text[p.at+1] != ')' {
		p.at++
		return true
	}
	return false
}

// prefix consumes a field name followed by a colon.
func (p *parser) prefix() (*phrase.Fields, error) {
	end := p.at
	for end < len(p.text) && (p.text[end] >= 'a' && p.text[end] <= 'z' || p.text[end] >= 'A' && p.text[end] <= 'Z') {
		end++
	}
	if end == p.at || end == len(p.text) || p.text[end] != ':' {
		return nil, nil
	}
	name := string(p.text[p.at:end])
	field, ok := fieldNames[strings.ToLower(name)]
	if !ok {
		return nil, p.fail(p.at, "unknown field %q; use title:, description: or transcript:, or put text with a "+
			"colon in quotes", name)
	}
	p.at = end + 1
	only := phrase.Only(field)
	return &only, nil
}

// operator consumes an operator if it comes next.
func (p *parser) operator(name string) bool {
	if !p.ahead(name) {
		return false
	}
	p.at += len(name)
	return true
}

// ahead reports whether an operator comes next: in capitals, and as a separate word.
func (p *parser) ahead(name string) bool {
	end := p.at + len(name)
	if end > len(p.text) || string(p.text[p.at:end]) != name {
		return false
	}
	return end == len(p.text) || unicode.IsSpace(p.text[end]) || p.text[end] == '(' || p.text[end] == ')' ||
		quote(p.text[end])
}

func (p *parser) space() {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
}

func quote(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '„' }
