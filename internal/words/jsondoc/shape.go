package jsondoc

import (
	"slices"
	"strings"
)

// Shape says what a value must look like. Build one with Any, Text, Flag, Whole, Real, Enum, List, Fields and Open.
type Shape struct {
	want   string // as it reads in a message, such as "a string"
	fits   func(*Value) bool
	code   int      // of a value that does not fit; 0: the Codes.Type of the check
	values []string // of an Enum
	item   *Shape   // of a List
	fields []Field  // of Fields and Open
	open   bool     // other keys are free
}

// Field is one key of an object.
type Field struct {
	Name  string
	Shape Shape
}

// Any is whatever there is.
func Any() Shape { return Shape{want: "a value", fits: func(*Value) bool { return true }} }

// Text is a string.
func Text() Shape {
	return Shape{want: "a string", fits: func(v *Value) bool { return v.kind == String }}
}

// Flag is true or false.
func Flag() Shape {
	return Shape{want: "true or false", fits: func(v *Value) bool { return v.kind == Bool }}
}

// TextFlag is true or false, or one of them as a string.
func TextFlag() Shape {
	return Shape{want: "true or false", fits: func(v *Value) bool {
		return v.kind == Bool || strings.EqualFold(v.Text(), "true") || strings.EqualFold(v.Text(), "false")
	}}
}

// Whole is an integer; 1.0 is one too.
func Whole() Shape {
	return Shape{want: "an integer", fits: func(v *Value) bool { _, ok := v.Int(); return ok }}
}

// Real is any number.
func Real() Shape {
	return Shape{want: "a number", fits: func(v *Value) bool { return v.kind == Number }}
}

// Enum is one of some names, case ignored. Another value is a problem with the given code.
func Enum[T ~string](code int, all ...T) Shape {
	names := make([]string, len(all))
	for i, name := range all {
		names[i] = string(name)
	}
	fits := func(v *Value) bool {
		return v.kind == String && slices.ContainsFunc(names, func(n string) bool {
			return strings.EqualFold(n, v.Text())
		})
	}
	return Shape{want: "one of " + quoteAll(names), fits: fits, code: code, values: names}
}

// List is a list of values of one shape.
func List(item Shape) Shape {
	return Shape{want: "a list", fits: func(v *Value) bool { return v.kind == Array }, item: &item}
}

// Fields is an object with these keys and no others.
func Fields(fields ...Field) Shape {
	return Shape{want: "an object", fits: func(v *Value) bool { return v.kind == Object }, fields: fields}
}

// Open is an object with these keys and any others.
func Open(fields ...Field) Shape {
	s := Fields(fields...)
	s.open = true
	return s
}

// Coded is the same shape with the given code for values that do not fit.
func (s Shape) Coded(code int) Shape {
	s.code = code
	return s
}

// OrBlank is the same shape that also takes the empty string.
func (s Shape) OrBlank() Shape {
	fits := s.fits
	s.fits = func(v *Value) bool { return v.kind == String && strings.TrimSpace(v.Text()) == "" || fits(v) }
	return s
}

// Canonical returns how the enumeration at this shape, or in its list, writes a name, case ignored; "" if it has none
// such.
func (s Shape) Canonical(name string) string {
	for _, n := range s.Names() {
		if strings.EqualFold(n, name) {
			return n
		}
	}
	return ""
}

// At returns the shape under a path of keys; lists are passed through. The path must exist in the shape.
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

// Paths lists every key of the shape as a dotted path, lists marked by [], in order; such as
// publish.callbacks[].url. A key that holds an object is listed by its own keys.
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

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = `"` + n + `"`
	}
	return strings.Join(quoted, ", ")
}

// Names returns the names that the enumeration at this shape, or in its list, allows.
func (s Shape) Names() []string {
	for s.item != nil {
		s = *s.item
	}
	return s.values
}
