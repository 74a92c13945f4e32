package query

import (
	"cmp"
	"strconv"
	"strings"

	"parley/internal/words/phrase"
)

// As converts the value to a type defined by ALTER TABLE. It returns a missing value if the conversion is not
// possible.
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

// Number converts the value to a number: booleans are 0 and 1, texts are parsed.
func (v Value) Number() (n float64, ok bool) {
	switch v.kind {
	case isNumber, isTruth:
		return v.number, true
	case isText:
		return toNumber(v.text)
	}
	return 0, false
}

// Sorted compares two values in the order of ORDER BY: numbers and booleans, then instants, then texts without regard
// to case, then missing values.
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

// rank returns the sort position of the kind of a value.
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

// AppendKey appends the grouping key of the value. Values of one group have equal keys: numbers are compared by
// value, texts without regard to case.
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
