package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// syntax checks that a text is valid JSON and reports where it is not.
func syntax(raw []byte) error {
	if json.Valid(raw) {
		return nil
	}
	var whole json.RawMessage
	err := json.Unmarshal(raw, &whole)
	bad, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return err
	}
	before := string(raw[:min(max(int(bad.Offset)-1, 0), len(raw))])
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return fmt.Errorf("invalid JSON at line %d, column %d: %w", strings.Count(before, "\n")+1,
		utf8.RuneCountInString(line)+1, bad)
}

// positionError is an error in one element of a list.
type positionError struct {
	list  string // such as words[17]
	cause error
}

func (p *positionError) Error() string { return p.list + ": " + p.cause.Error() }
func (p *positionError) Unwrap() error { return p.cause }

// at adds the position of an error.
func at(list string, i int, cause error) error {
	return &positionError{fmt.Sprintf("%s[%d]", list, i), cause}
}

// locate names the field that has the wrong type.
func locate(err error) error {
	if p, ok := err.(*positionError); ok {
		return &positionError{p.list, locate(p.cause)}
	}
	bad, ok := err.(*json.UnmarshalTypeError)
	if !ok {
		return err
	}
	field := cmp.Or(strings.ReplaceAll(bad.Field, ".[", "["), "it")
	switch bad.Type {
	case reflect.TypeFor[number]():
		return fmt.Errorf("%s: %s is not a number", field, bad.Value)
	case reflect.TypeFor[few[any]]():
		return fmt.Errorf("%s is %s", field, bad.Value)
	}
	return fmt.Errorf("%s has the wrong type %s", field, bad.Value)
}

// each decodes the elements of a list one at a time and passes them to f, to bound memory. An absent list has no
// elements. name is used in errors.
func each[T any](raw json.RawMessage, name string, f func(i int, e T) error) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] != '[' {
		return fmt.Errorf("%s is not a list", name)
	}
	i := 0
	for part := range elements(raw) {
		if i == maxWords {
			return fmt.Errorf("%s has more than %d elements", name, maxWords)
		}
		var e T
		if err := json.Unmarshal(part, &e); err != nil {
			return at(name, i, err)
		}
		if err := f(i, e); err != nil {
			return at(name, i, err)
		}
		i++
	}
	return nil
}

// few is a list inside an element, with a maximum length that bounds the memory per element.
type few[T any] []T

const mostOfFew = 2000

// UnmarshalJSON implements json.Unmarshaler. Its errors have the type to which package json adds the field name.
func (l *few[T]) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	if raw[0] != '[' {
		return l.misfit("not a list")
	}
	for part := range elements(raw) {
		if len(*l) == mostOfFew {
			return l.misfit(fmt.Sprintf("a list of more than %d elements", mostOfFew))
		}
		var e T
		if err := json.Unmarshal(part, &e); err != nil {
			if bad, ok := err.(*json.UnmarshalTypeError); ok {
				bad.Field = strings.TrimSuffix(fmt.Sprintf("[%d].%s", len(*l), bad.Field), ".")
			}
			return err
		}
		*l = append(*l, e)
	}
	return nil
}

func (*few[T]) misfit(what string) error {
	return &json.UnmarshalTypeError{Value: what, Type: reflect.TypeFor[few[any]]()}
}

// number is a JSON number, or a string that contains one. Absent, null and "" mean no number.
type number struct {
	value float64
	given bool
}

// UnmarshalJSON implements json.Unmarshaler. Its errors have the type to which package json adds the field name.
func (n *number) UnmarshalJSON(raw []byte) error {
	text := strings.TrimSpace(strings.Trim(string(raw), `"`))
	if text == "null" || text == "" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return &json.UnmarshalTypeError{Value: clip(string(raw)), Type: reflect.TypeFor[number]()}
	}
	*n = number{f, true}
	return nil
}

// longest is the maximum time accepted.
const longest = 7 * 24 * time.Hour

// in converts a number of units to a time, rounded to microseconds.
func (n number) in(unit time.Duration) (time.Duration, error) {
	d := n.value * float64(unit)
	if d < 0 || d > float64(longest) {
		return 0, fmt.Errorf("%v is not a valid time; use %s from the start of the recording", n.value, unitName(unit))
	}
	return time.Duration(math.Round(d/float64(time.Microsecond))) * time.Microsecond, nil
}

func unitName(unit time.Duration) string {
	if unit == time.Second {
		return "seconds"
	}
	return "milliseconds"
}
