package query

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"parley/internal/words/phrase"
)

// Value is the value of a call's field, or the value it is compared with. The zero Value is a missing one.
type Value struct {
	kind   valueKind
	number float64 // 0 or 1 for a boolean
	text   string
	at     time.Time
}

type valueKind uint8

const (
	missing valueKind = iota
	isNumber
	isText
	isTruth
	isInstant
)

// Number returns a number as a Value.
func Number(n float64) Value { return Value{kind: isNumber, number: n} }

// Text returns a text as a Value.
func Text(s string) Value { return Value{kind: isText, text: s} }

// Truth returns a boolean as a Value.
func Truth(b bool) Value {
	v := Value{kind: isTruth}
	if b {
		v.number = 1
	}
	return v
}

// Instant returns an instant as a Value.
func Instant(t time.Time) Value { return Value{kind: isInstant, at: t} }

// Missing reports whether there is no value.
func (v Value) Missing() bool { return v.kind == missing }

// Any returns the value as nil, float64, string, bool or time.Time.
func (v Value) Any() any {
	switch v.kind {
	case isNumber:
		return v.number
	case isText:
		return v.text
	case isTruth:
		return v.number == 1
	case isInstant:
		return v.at
	}
	return nil
}

// Op is a comparison operator.
type Op string

// The comparison operators.
const (
	Equal        Op = "="
	NotEqual     Op = "!="
	Less         Op = "<"
	LessEqual    Op = "<="
	Greater      Op = ">"
	GreaterEqual Op = ">="
)

// holds reports whether the operator holds for an order: negative for less, 0 for equal, positive for greater.
func (op Op) holds(order int) bool {
	switch op {
	case Equal:
		return order == 0
	case NotEqual:
		return order != 0
	case Less:
		return order < 0
	case LessEqual:
		return order <= 0
	case Greater:
		return order > 0
	}
	return order >= 0
}

// operand is a value of a statement, parsed once into every type it may be compared as.
type operand struct {
	Value
	folded string
	number float64
	at     time.Time
	isNum  bool
	isDate bool
}

func newOperand(v Value) operand {
	o := operand{Value: v, number: v.number, isNum: v.kind != isText, folded: phrase.Fold(v.text)}
	if v.kind == isText {
		o.number, o.isNum = toNumber(v.text)
		o.at, o.isDate = toInstant(v.text)
	}
	return o
}

// fieldValue is a value that is compared with several operands. Its text is folded once, on first use.
type fieldValue struct {
	Value
	folded string
	done   bool
}

func (c *fieldValue) fold() string {
	if !c.done {
		c.folded, c.done = phrase.Fold(c.text), true
	}
	return c.folded
}

// order compares a field's value with an operand: as numbers, as instants, or else as texts without regard to case.
// ok is false if one of them is missing or they are not comparable.
func (o *operand) order(v *fieldValue) (order int, ok bool) {
	switch {
	case v.kind == missing || o.kind == missing:
		return 0, false
	case v.kind == isInstant:
		return v.at.Compare(o.at), o.isDate
	case v.kind != isText:
		if t, truth := toTruth(o.Value); v.kind == isTruth && truth {
			return cmp.Compare(v.number, t.number), true
		}
		return cmp.Compare(v.number, o.number), o.isNum
	case o.kind == isTruth:
		t, ok := toTruth(v.Value)
		return cmp.Compare(t.number, o.number), ok
	case o.kind == isNumber:
		n, ok := toNumber(v.text)
		return cmp.Compare(n, o.number), ok
	}
	if o.isDate {
		if at, ok := toInstant(v.text); ok {
			return at.Compare(o.at), true
		}
	}
	return strings.Compare(v.fold(), o.folded), true
}

// compare reports whether a comparison holds. It is false if the value is missing; values that are not comparable are
// unequal.
func (o *operand) compare(v *fieldValue, op Op) bool {
	order, ok := o.order(v)
	if !ok {
		return op == NotEqual && v.kind != missing
	}
	return op.holds(order)
}

// toTruth parses true and false as written in metadata.
func toTruth(v Value) (Value, bool) {
	switch {
	case v.kind == isTruth:
		return v, true
	case v.kind == isText && strings.EqualFold(v.text, "true"):
		return Truth(true), true
	case v.kind == isText && strings.EqualFold(v.text, "false"):
		return Truth(false), true
	}
	return Value{}, false
}

// toNumber parses a decimal number. It rejects named numbers such as inf, hexadecimal numbers and underscores.
func toNumber(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// Accepted formats of instants. The default time zone is UTC.
var instants = []string{
	"2006-01-02", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05Z0700", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04",
}

// toInstant parses a date, or a date with a time and optional fractions of a second.
func toInstant(text string) (time.Time, bool) {
	if len(text) < 10 || len(text) > 40 || text[4] != '-' || text[7] != '-' {
		return time.Time{}, false
	}
	for _, layout := range instants {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
