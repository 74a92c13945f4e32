package jsondoc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/internal/words/fault"
)

// Codes are the public codes for the problems of a document, and options of the check.
type Codes struct {
	Type      int  // a value of the wrong type, or outside its enumeration
	Unknown   int  // an unknown key
	Duplicate int  // a duplicate key; 0: not reported
	Private   bool // messages must not repeat values
	Kept      bool // the document is returned as sent: of the absent values, only null fits every shape
}

// Links is the key of the hypermedia links in responses. Clients send it back; it is never a problem.
const Links = "_links"

// maxProblems stops a check after the first 100 problems.
const maxProblems = 100

// Check compares a value with a shape and returns the first 100 problems in document order. Absent values (see
// Value.Absent and Codes.Kept) fit every shape, even under unknown keys.
func Check(v *Value, shape Shape, codes Codes) []fault.Problem {
	c := &checker{root: shape, codes: codes}
	c.check(v, shape)
	return c.problems
}

type checker struct {
	root     Shape
	codes    Codes
	problems []fault.Problem
}

func (c *checker) add(code int, v *Value, format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, At(v, code, format, args...))
	}
}

func (c *checker) check(v *Value, s Shape) {
	switch {
	case c.absent(v) || len(c.problems) >= maxProblems:
	case !s.fits(v):
		code := cmp.Or(s.code, c.codes.Type)
		c.add(code, v, "%s where %s is expected%s", c.show(v), s.want, quoted(v, s))
	case s.item != nil:
		for _, item := range v.Items() {
			c.check(item, *s.item)
		}
	case s.fields != nil:
		c.members(v, s)
	}
}

func (c *checker) members(v *Value, s Shape) {
	seen := map[string]bool{}
	for _, m := range v.Members() {
		if c.absent(m) || m.name == Links {
			continue
		}
		if len(c.problems) >= maxProblems {
			return
		}
		if seen[m.name] && c.codes.Duplicate != 0 {
			c.add(c.codes.Duplicate, m, "the property is given twice; keep one of them")
		}
		seen[m.name] = true
		if known := s.field(m.name); known != nil {
			c.check(m, *known)
		} else if !s.open {
			c.add(c.codes.Unknown, m, "unknown property %q; %s", Clip(m.name), advice(m.name, s, c.root))
		}
	}
}

func (c *checker) absent(v *Value) bool {
	if c.codes.Kept {
		return v.Kind() == Null
	}
	return v.Absent()
}

// show returns a value for a message.
func (c *checker) show(v *Value) string {
	if c.codes.Private || v.kind == Object || v.kind == Array {
		return v.kind.String()
	}
	return Clip(string(v.Bytes()))
}

// quoted returns a hint if the value would fit without its quotation marks.
func quoted(v *Value, s Shape) string {
	if v.kind != String {
		return ""
	}
	bare, err := Parse([]byte(v.Text()), Limits{Bytes: 64, Depth: 1, Values: 1})
	if err != nil || !s.fits(bare) {
		return ""
	}
	return "; remove the quotes"
}

// whole names the root in messages, where a pointer would be empty.
const whole = "the document"

// At returns a problem whose message starts with the value's pointer.
func At(v *Value, code int, format string, args ...any) fault.Problem {
	pointer := cmp.Or(Clip(v.Pointer()), whole)
	return fault.Problem{Code: code, Message: pointer + ": " + fmt.Sprintf(format, args...)}
}

// Within adds the name of a part to the problems of a document that was sent as a named part of a request: messages
// that begin with a pointer (see At) then begin with the name.
func Within(part string, problems []fault.Problem) []fault.Problem {
	named := slices.Clone(problems)
	for i, p := range named {
		if place, about, found := strings.Cut(p.Message, ": "); found && place == whole {
			named[i].Message = part + ": " + about
		} else if strings.HasPrefix(place, "/") {
			named[i].Message = part + ": " + p.Message
		}
	}
	return named
}

// Below moves the problems of a document that is a value of another one below the pointer of that value.
func Below(pointer string, problems []fault.Problem) []fault.Problem {
	moved := slices.Clone(problems)
	for i, p := range moved {
		if place, about, found := strings.Cut(p.Message, ": "); found && place == whole {
			moved[i].Message = pointer + ": " + about
		} else if strings.HasPrefix(place, "/") {
			moved[i].Message = pointer + p.Message
		} else {
			moved[i].Message = pointer + ": " + p.Message
		}
	}
	return moved
}

// Clip shortens text from a client for a message.
func Clip(text string) string {
	return fault.Clip(strings.ToValidUTF8(text, "\ufffd"), 120)
}
