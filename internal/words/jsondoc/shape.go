package jsondoc

import (
	"strings"

	"parley/internal/words/list"
)

// Shape describes valid values. Build one with Any, Text, Flag, Whole, Real, Enum, List, Fields or Open.
type Shape struct {
	want   string // as it reads in a message, such as "a string"
	fits   func(*Value) bool
	code   int      // for values that do not fit; 0: Codes.Type of the check
	values []string // of an Enum
	item   *Shape   // of a List
	fields []Field  // of Fields and Open
	open   bool     // other keys are allowed
}

// Field is one key of an object.
type Field struct {
	Name  string
	Shape Shape
}

// Any accepts every value.
func Any() Shape { return Shape{want: "a value", fits: func(*Value) bool { return true }} }

func ofKind(k Kind, want string) Shape {
	return Shape{want: want, fits: func(v *Value) bool { return v.kind == k }}
}

// Text accepts a string.
func Text() Shape { return ofKind(String, "a string") }

// Flag accepts true or false.
func Flag() Shape { return ofKind(Bool, "true or false") }

// TextFlag accepts true or false, or either as a string.
func TextFlag() Shape {
	return Shape{want: "true or false", fits: func(v *Value) bool {
		return v.kind == Bool || strings.EqualFold(v.Text(), "true") || strings.EqualFold(v.Text(), "false")
	}}
}

// Whole accepts an integer; 1.0 is one.
func Whole() Shape {
	return Shape{want: "an integer", fits: func(v *Value) bool { _, ok := v.Int(); return ok }}
}

// Real accepts any number.
func Real() Shape { return ofKind(Number, "a number") }

// Enum accepts one of several names, ignoring case. Other values are reported with the given code.
func Enum[T ~string](code int, all ...T) Shape {
	names := list.Map(all, func(name T) string { return string(name) })
	s := Shape{want: `one of "` + strings.Join(names, `", "`) + `"`, code: code, values: names}
	s.fits = func(v *Value) bool { return s.Canonical(v.Text()) != "" }
	return s
}

// List accepts a list of values of one shape.
func List(item Shape) Shape {
	s := ofKind(Array, "a list")
	s.item = &item
	return s
}

// Fields accepts an object with these keys and no others.
func Fields(fields ...Field) Shape {
	s := ofKind(Object, "an object")
	s.fields = fields
	return s
}

// Open accepts an object with these keys and any others.
func Open(fields ...Field) Shape {
	s := Fields(fields...)
	s.open = true
	return s
}

// Coded returns the shape with another code for values that do not fit.
func (s Shape) Coded(code int) Shape {
	s.code = code
	return s
}

// OrBlank returns the shape extended by the empty string.
func (s Shape) OrBlank() Shape {
	fits := s.fits
	s.fits = func(v *Value) bool { return v.kind == String && strings.TrimSpace(v.Text()) == "" || fits(v) }
	return s
}

// Canonical returns the spelling of a name in the enumeration at this shape, or in its list, ignoring case; "" if the
// name is unknown.
func (s Shape) Canonical(name string) string {
	for _, n := range s.Names() {
		if strings.EqualFold(n, name) {
			return n
		}
	}
	return ""
}

// At returns the shape under a path of keys; the path skips lists. It must exist in the shape.
func (s Shape) At(path ...string) Shape {
	for _, name := range path {
		for s.item != nil {
			s = *s.item
		}
		s = *s.field(name)
	}
	return s
}

func (s Shape) field(name string) *Shape {
	for i := range s.fields {
		if s.fields[i].Name == name {
			return &s.fields[i].Shape
		}
	}
	return nil
}

// Paths returns every leaf key of the shape as a dotted path, in order, with lists marked by []:
// publish.callbacks[].url. For a key that holds an object, it returns the keys of the object instead.
func (s Shape) Paths() []string { return s.paths("") }

func (s Shape) paths(prefix string) []string {
	if s.item != nil {
		return s.item.paths(prefix + "[]")
	}
	if len(s.fields) == 0 {
		return []string{prefix}
	}
	if prefix != "" {
		prefix += "."
	}
	var paths []string
	for _, f := range s.fields {
		paths = append(paths, f.Shape.paths(prefix+f.Name)...)
	}
	return paths
}

// Names returns the allowed names of the enumeration at this shape, or in its list.
func (s Shape) Names() []string {
	for s.item != nil {
		s = *s.item
	}
	return s.values
}
