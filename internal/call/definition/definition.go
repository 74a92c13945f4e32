// Package definition defines what an account saves under a name, for use in many requests: vocabularies, keyword
// groups, categories, presets, dashboards, queries, and the search fields of media.
//
// It validates names and contents and reports all problems together. It does not store definitions (package store),
// encode them (package record) or use them; package plan adds them to the request for a recording.
package definition

import (
	"bytes"
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Kind is a kind of definition. Names are unique per account and kind.
type Kind string

// The kinds.
const (
	Vocabulary   Kind = "vocabulary"
	KeywordGroup Kind = "keyword group"
	SearchField  Kind = "list of search fields"
	CategoryKind Kind = "category"
	FieldTypes   Kind = "list of field types"
	SavedQuery   Kind = "query"
	PresetKind   Kind = "preset"
	Dashboards   Kind = "dashboard"
)

// Definition is one saved definition of an account.
type Definition struct {
	Kind     Kind
	Name     string
	Version  int64  // increases with each change; never reused, even if the definition is deleted and created again
	Sent     []byte // as sent
	Content  []byte // as parsed, in the encoding of package record
	Created  time.Time
	Modified time.Time
}

// Values of the expected version of a change, other than an existing version.
const (
	Any    int64 = 0  // any version, or none
	Absent int64 = -1 // the definition must not exist
)

// MaxBytes is the maximum size of a definition: enough for a vocabulary at all its limits.
const MaxBytes = 8 << 20

// MaxName is the maximum length of a name, in characters.
const MaxName = 128

// Unknown returns the error for a name without a saved definition of this kind.
func Unknown(k Kind, name string) error {
	return fault.New(fault.NotFound, fault.CodeDefinition, "there is no %s %q", k, clip(name))
}

// nameProblem returns what is wrong with a name, or "". The rules exist because names occur in URLs and in lists.
func nameProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case utf8.RuneCountInString(name) > MaxName:
		return "is too long"
	case name == "." || name == ".." || strings.Contains(name, "/"):
		return "cannot be part of a URL"
	case strings.TrimSpace(name) != name:
		return "begins or ends with white space"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "contains control characters"
	}
	return ""
}

// maxProblems bounds the problems of one definition.
const maxProblems = 100

// checker collects the problems of one definition.
type checker struct{ problems []fault.Problem }

func (c *checker) refuse(v *jsondoc.Value, code int, format string, args ...any) {
	c.add(jsondoc.At(v, code, format, args...))
}

func (c *checker) add(p fault.Problem) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, p)
	}
}

// format describes the body of a kind of definition: a JSON object.
type format struct {
	what, example string
	shape         jsondoc.Shape
	values        int    // maximum number of JSON values
	depth         int    // maximum nesting; 0: 16
	code          int    // of problems with the whole body
	nameKey       string // member that may repeat the name in the address; empty: the definition has no name
	nameCode      int    // of problems with the name
	spaceless     bool   // the name must not contain spaces
	filled        bool   // the object must have members
}

// parse checks the name and the body against the format, and returns the body; nil if it is not such an object.
func (c *checker) parse(f format, name string, sent []byte) *jsondoc.Value {
	root, err := f.object(sent)
	if f.nameKey != "" {
		c.checkName(name, root.Get(f.nameKey), f.nameCode)
	}
	if f.spaceless && strings.ContainsFunc(name, unicode.IsSpace) {
		c.problems = append(c.problems, fault.Problem{Code: f.nameCode,
			Message: "the name in the address contains a space; use a name without spaces, such as follow-up-needed"})
	}
	if err != nil {
		c.problems = append(c.problems, fault.ProblemsOf(err)...)
		return nil
	}
	c.problems = append(c.problems, jsondoc.Check(root, f.shape, jsondoc.Codes{
		Type: f.code, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	})...)
	return root
}

// object parses a JSON object.
func (f format) object(sent []byte) (*jsondoc.Value, error) {
	if len(bytes.TrimSpace(sent)) == 0 {
		return nil, fault.New(fault.Invalid, f.code, "the request body is empty; send an object such as %s", f.example)
	}
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: MaxBytes, Depth: cmp.Or(f.depth, 16), Values: f.values})
	switch {
	case err != nil:
		return nil, fault.New(fault.Invalid, f.code, "the %s is invalid JSON: %w", f.what, err)
	case root.Kind() != jsondoc.Object:
		return nil, fault.New(fault.Invalid, f.code, "the %s is %s; send an object such as %s", f.what, root.Kind(),
			f.example)
	case f.filled && len(root.Members()) == 0:
		return nil, fault.New(fault.Invalid, f.code, "the %s is an empty object; send an object such as %s", f.what,
			f.example)
	}
	return root, nil
}

// checked returns a parsed definition, or the problems found in it.
func checked[T any](v T, c *checker) (T, error) {
	if err := fault.All(fault.Invalid, c.problems); err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// checkName validates the name in the URL, and compares it with the name in the body, if any.
func (c *checker) checkName(name string, body *jsondoc.Value, code int) {
	if wrong := nameProblem(name); wrong != "" {
		c.problems = append(c.problems, fault.Problem{Code: code,
			Message: "the name in the address " + wrong + "; use 1 to 128 printable characters without a slash"})
	}
	if body.Kind() == jsondoc.String && body.Text() != name {
		c.refuse(body, code, "%q is not the name %q in the address; make them the same", clip(body.Text()), clip(name))
	}
}

// clip shortens user input for a message.
func clip(text string) string { return fault.Clip(text, 80) }
