package query

import (
	"cmp"
	"strconv"
	"strings"

	"parley/internal/words/phrase"
)

// As is the value as one of the types that ALTER TABLE defines, missing where it cannot be one.
func (v Value) As(defined string) Value {
	switch defined {
	case "varchar":
		switch v.kind {
		case missing:
		case isTruth:
			return Text(strings.ToLower(v.written()))
		default:
			return Text(v.written())
		}
	case "integer", "double":
		if n, ok := v.Number(); ok {
			return Number(n)
		}
	case "boolean":
		if t, ok := toTruth(v); ok {
			return t
		}
	case "timestamp":
		if v.kind == isInstant {
			return v
		}
		if at, ok := toInstant(v.text); ok && v.kind == isText {
			return Instant(at)
		}
	}
	return Value{}
}

// Number is the value as a number: truths are 0 and 1, texts may be written numbers.
func (v Value) Number() (n float64, ok bool) {
	switch v.kind {
	case isNumber, isTruth:
		return v.number, true
	case isText:
		return toNumber(v.text)
	}
	return 0, false
}

// Sorted compares two values as ORDER BY does: numbers and truths, then instants, then texts whose case does not count,
// and what is missing last.
func Sorted(a, b Value) int {
	if by := cmp.Compare(a.rank(), b.rank()); by != 0 {
		return by
	}
	switch a.rank() {
	case 0:
		return cmp.Compare(a.number, b.number)
	case 1:
		return a.at.Compare(b.at)
	case 2:
		return cmp.Or(strings.Compare(phrase.Fold(a.text), phrase.Fold(b.text)), strings.Compare(a.text, b.text))
	}
	return 0
}

// rank orders the kinds of values.
func (v Value) rank() int {
	switch v.kind {
	case isNumber, isTruth:
		return 0
	case isInstant:
		return 1
	case isText:
		return 2
	}
	return 3
}

// AppendKey appends bytes that are the same for values that are grouped together: numbers by what they are, texts
// without regard to case.
func (v Value) AppendKey(key []byte) []byte {
	key = append(key, byte('0'+v.rank()))
	switch v.rank() {
	case 0:
		key = strconv.AppendFloat(key, v.number, 'g', -1, 64)
	case 1:
		key = strconv.AppendInt(key, v.at.UnixNano(), 10)
	case 2:
		key = append(key, phrase.Fold(v.text)...)
	}
	return append(key, 0)
}
