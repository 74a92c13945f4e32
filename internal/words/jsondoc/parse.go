package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits bounds a document. All limits must be set.
type Limits struct {
	Bytes  int // size of the text
	Depth  int // nesting of objects and lists
	Values int // total number of values
}

// ErrTooLarge is in the chain of Parse's error when the text exceeds Limits.Bytes.
var ErrTooLarge = errors.New("too large")

// SyntaxError is the position of a syntax error. Lines and columns count from 1; a column is one Unicode character.
type SyntaxError struct {
	Line, Column int
	Message      string
}

// Error returns the position and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Parse parses one JSON document. The text must be UTF-8; a leading byte order mark is skipped. The error is a
// *SyntaxError, or wraps ErrTooLarge.
func Parse(text []byte, limits Limits) (*Value, error) {
	if len(text) > limits.Bytes {
		return nil, fmt.Errorf("%w: %d bytes; the maximum is %d", ErrTooLarge, len(text), limits.Bytes)
	}
	text = bytes.TrimPrefix(bytes.Clone(text), []byte("\ufeff"))
	if err := check(text); err != nil {
		return nil, err
	}
	i := &indexer{text: text, limits: limits}
	root := &Value{}
	i.space()
	i.value(root, 0)
	if i.err != nil {
		return nil, i.err
	}
	return root, nil
}

// CheckEncoding returns a *SyntaxError for text that is not UTF-8.
func CheckEncoding(text []byte) error {
	if !utf8.Valid(text) {
		return syntaxError(text, invalidUTF8(text), "the text is not valid UTF-8")
	}
	return nil
}

// check validates the text against the JSON grammar.
func check(text []byte) error {
	if err := CheckEncoding(text); err != nil {
		return err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return syntaxError(text, 0, "the document is empty")
	}
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	e, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case !ok:
		return err
	case strings.HasPrefix(e.Error(), "unexpected end"):
		return syntaxError(text, len(text), "the document ends unexpectedly")
	}
	return syntaxError(text, int(e.Offset)-1, "%s", e.Error())
}

func invalidUTF8(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

func syntaxError(text []byte, at int, format string, args ...any) *SyntaxError {
	before := string(text[:min(max(at, 0), len(text))])
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return &SyntaxError{
		Line:    strings.Count(before, "\n") + 1,
		Column:  utf8.RuneCountInString(line) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// indexer finds the values of a text that is known to be valid JSON, so it checks only the limits.
type indexer struct {
	text   []byte
	at     int
	values int
	limits Limits
	err    error
}

func (i *indexer) space() {
	for i.at < len(i.text) && isSpace(i.text[i.at]) {
		i.at++
	}
}

// value fills v with the value at the present offset.
func (i *indexer) value(v *Value, depth int) {
	i.values++
	if i.values > i.limits.Values {
		i.err = syntaxError(i.text, i.at, "more than %d values", i.limits.Values)
		return
	}
	v.source, v.start = i.text, i.at
	switch i.text[i.at] {
	case '{':
		v.kind = Object
		i.children(v, depth)
	case '[':
		v.kind = Array
		i.children(v, depth)
	case '"':
		v.kind = String
		i.skipString()
	default:
		v.kind = i.skipLiteral()
	}
	v.settle()
	v.end = i.at
}

// children reads the members or items of v up to and including the closing bracket.
func (i *indexer) children(v *Value, depth int) {
	if depth == i.limits.Depth {
		i.err = syntaxError(i.text, i.at, "more than %d levels of nested objects and lists", i.limits.Depth)
		return
	}
	i.at++
	i.space()
	for i.err == nil && i.text[i.at] != '}' && i.text[i.at] != ']' {
		c := &Value{parent: v, index: len(v.children), keyStart: i.at}
		if v.kind == Object {
			i.key(c)
		}
		i.value(c, depth+1)
		v.children = append(v.children, c)
		i.space()
		if i.at < len(i.text) && i.text[i.at] == ',' {
			i.at++
			i.space()
		}
	}
	i.at++
}

func (i *indexer) key(v *Value) {
	i.skipString()
	v.name = unquote(i.text[v.keyStart:i.at])
	i.space()
	i.at++ // the colon
	i.space()
}

func (i *indexer) skipString() {
	for i.at++; i.text[i.at] != '"'; i.at++ {
		if i.text[i.at] == '\\' {
			i.at++
		}
	}
	i.at++
}

// skipLiteral skips a number, true, false or null.
func (i *indexer) skipLiteral() Kind {
	kind := Number
	switch i.text[i.at] {
	case 't', 'f':
		kind = Bool
	case 'n':
		kind = Null
	}
	for i.at < len(i.text) && !bytes.ContainsRune([]byte(" \t\r\n,]}"), rune(i.text[i.at])) {
		i.at++
	}
	return kind
}
