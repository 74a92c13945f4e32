// Package jsondoc parses JSON documents without loss: every value knows its bytes and its position, keys keep their
// order, numbers their spelling, and duplicate keys can be found.
//
// It also checks a document against a Shape and reports all problems together. It does not write JSON and does not
// interpret values; packages media and plan do.
package jsondoc

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the JSON type of a value.
type Kind int

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}

// String returns the kind as it reads in a sentence, such as "a string".
func (k Kind) String() string { return kindNames[k] }

// Value is one value of a document. It is immutable. All methods accept nil, which represents an absent value: nil has
// kind Null, no members, no items and zero content.
type Value struct {
	source   []byte
	parent   *Value
	name     string // key in the parent, if that is an object
	children []*Value
	keyStart int // offset of the key, for a member of an object
	start    int
	end      int
	index    int // position among the parent's children
	kind     Kind
	absent   bool // see Absent
}

// Kind returns the JSON type.
func (v *Value) Kind() Kind {
	if v == nil {
		return Null
	}
	return v.kind
}

// Bytes returns the value as it was sent, without surrounding white space. The caller must not change them.
func (v *Value) Bytes() []byte {
	if v == nil {
		return nil
	}
	return v.source[v.start:v.end:v.end]
}

// Name returns the value's key in its object, "" for items and the root.
func (v *Value) Name() string {
	if v == nil {
		return ""
	}
	return v.name
}

// Index returns the value's position in its list or object, counted from 0.
func (v *Value) Index() int {
	if v == nil {
		return 0
	}
	return v.index
}

// Pointer returns the RFC 6901 pointer from the root, "" for the root itself.
func (v *Value) Pointer() string {
	var parts []string
	for ; v != nil && v.parent != nil; v = v.parent {
		part := strconv.Itoa(v.index)
		if v.parent.kind == Object {
			part = strings.NewReplacer("~", "~0", "/", "~1").Replace(v.name)
		}
		parts = append(parts, part)
	}
	var b strings.Builder
	for _, part := range slices.Backward(parts) {
		b.WriteString("/" + part)
	}
	return b.String()
}

// Absent reports whether the value counts as not given: it is missing, null, an empty list, or a member that is an
// object with only absent members, which is how generated clients write unset fields. An object without members is not
// absent, nor are objects in lists or the root object.
func (v *Value) Absent() bool { return v == nil || v.absent }

// settle computes absent; the children must be settled.
func (v *Value) settle() {
	switch v.kind {
	case Null:
		v.absent = true
	case Array:
		v.absent = len(v.children) == 0
	case Object:
		v.absent = v.parent.Kind() == Object && len(v.children) > 0 &&
			!slices.ContainsFunc(v.children, func(c *Value) bool { return !c.absent })
	}
}

// Get returns the value under a path of keys, nil if a step is absent (see Absent) or not an object. Of duplicate keys,
// the last one that is not absent counts.
func (v *Value) Get(path ...string) *Value {
	for _, name := range path {
		v = v.last(func(m *Value) bool { return m.name == name && !m.Absent() })
	}
	return v
}

// Sent returns the last member of an object with the given name, even if it is absent (see Absent); nil if the object
// has no such member.
func (v *Value) Sent(name string) *Value {
	return v.last(func(m *Value) bool { return m.name == name })
}

func (v *Value) last(fits func(member *Value) bool) *Value {
	for _, m := range slices.Backward(v.Members()) {
		if fits(m) {
			return m
		}
	}
	return nil
}

// Members returns all members of an object in the order sent, including absent and duplicate ones; nil for other kinds.
func (v *Value) Members() []*Value {
	if v.Kind() != Object {
		return nil
	}
	return v.children
}

// Items returns the items of a list that are not absent; nil for other kinds.
func (v *Value) Items() []*Value {
	if v.Kind() != Array {
		return nil
	}
	var items []*Value
	for _, item := range v.children {
		if !item.Absent() {
			items = append(items, item)
		}
	}
	return items
}

// Text returns the content of a string, "" for other kinds. An unpaired surrogate reads as U+FFFD.
func (v *Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	return unquote(v.Bytes())
}

// Bool returns the content of a boolean, false for other kinds.
func (v *Value) Bool() bool { return v.Kind() == Bool && v.Bytes()[0] == 't' }

// Float returns a number's value, 0 for other kinds. Numbers beyond float64 become infinite.
func (v *Value) Float() float64 {
	if v.Kind() != Number {
		return 0
	}
	f, _ := strconv.ParseFloat(string(v.Bytes()), 64)
	return f
}

// Int returns the value of a whole number and reports whether it is one: 3, 3.0 and 3e0 are whole; 3.5, "3" and numbers
// beyond 2^53 written with a fraction or exponent are not.
func (v *Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v.Bytes()), 10, 64); err == nil {
		return n, true
	}
	f := v.Float()
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 || !strings.ContainsAny(string(v.Bytes()), ".eE") {
		return 0, false
	}
	return int64(f), true
}

// Repeated returns, in order, every member anywhere below v that repeats an earlier key of its object.
func (v *Value) Repeated() []*Value {
	if v == nil {
		return nil
	}
	var repeated []*Value
	seen := map[string]bool{}
	for _, c := range v.children {
		if v.kind == Object && seen[c.name] {
			repeated = append(repeated, c)
		}
		seen[c.name] = true
		repeated = append(repeated, c.Repeated()...)
	}
	return repeated
}

// Without returns the bytes of an object without the members of the given name; all other bytes are unchanged.
func (v *Value) Without(name string) []byte {
	members := v.Members()
	if !slices.ContainsFunc(members, func(m *Value) bool { return m.name == name }) {
		return v.Bytes()
	}
	kept := slices.DeleteFunc(slices.Clone(members), func(m *Value) bool { return m.name == name })
	out := []byte{'{'}
	for i, m := range kept {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.source[m.lead():m.end]...)
	}
	return append(append(out, v.tail()...), '}')
}

// Replaced returns the bytes of v in which some values below it, in the order of the document, are replaced by other
// JSON; all other bytes are unchanged.
func (v *Value) Replaced(some []*Value, by func(*Value) []byte) []byte {
	var out []byte
	at := v.start
	for _, one := range some {
		out = append(append(out, v.source[at:one.start]...), by(one)...)
		at = one.end
	}
	return append(out, v.source[at:v.end]...)
}

// lead returns the offset of the white space before a member's key.
func (v *Value) lead() int {
	i := v.keyStart
	for isSpace(v.source[i-1]) {
		i--
	}
	return i
}

// tail returns the white space before an object's closing brace.
func (v *Value) tail() []byte {
	i := v.end - 1
	for isSpace(v.source[i-1]) {
		i--
	}
	return v.source[i : v.end-1]
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func unquote(quoted []byte) string {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return "" // not reached: the document was checked as a whole
	}
	return text
}
