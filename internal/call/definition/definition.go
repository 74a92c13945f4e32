// Package definition is what an account saves under a name, to be used in many requests: vocabularies, keyword groups,
// categories, and the fields that media are found by.
//
// It checks names and contents and reports all problems at once. It does not store definitions (package
// store), encode them (package record) or use them; package plan puts them into what is asked for a recording.
package definition

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Kind is a sort of definition. Names are unique within a kind of an account.
type Kind string

// The kinds.
const (
	Vocabulary   Kind = "vocabulary"
	KeywordGroup Kind = "keyword group"
	SearchField  Kind = "list of search fields"
	CategoryKind Kind = "category"
	FieldTypes   Kind = "list of field types"
	SavedQuery   Kind = "query"
)

// Definition is one thing that an account has saved.
type Definition struct {
	Kind     Kind
	Name     string
	Version  int64  // rises with each change and never comes back, even when the name was deleted in between
	Sent     []byte // as sent
	Content  []byte // what was understood, as package record encodes it
	Created  time.Time
	Modified time.Time
}

// Versions that a change can expect besides a present one.
const (
	Any    int64 = 0  // whatever there is
	Absent int64 = -1 // nothing
)

// MaxBytes is the largest definition taken: room for a vocabulary at all its limits.
const MaxBytes = 8 << 20

// MaxName is the longest name, in characters.
const MaxName = 128

// Unknown is the error of a name that nothing of its kind is saved under.
func Unknown(k Kind, name string) error {
	return fault.New(fault.NotFound, fault.CodeDefinition, "there is no %s %q", k, clip(name))
}

// nameProblem says what is wrong with a name, "" if nothing is. Names stand in addresses and in lists.
func nameProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case utf8.RuneCountInString(name) > MaxName:
		return "is too long"
	case name == "." || name == ".." || strings.Contains(name, "/"):
		return "cannot stand in an address"
	case strings.TrimSpace(name) != name:
		return "begins or ends with space"
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "has control characters"
	}
	return ""
}

// maxProblems bounds the problems of one definition.
const maxProblems = 100

// checker collects what is wrong with one definition.
type checker struct{ problems []fault.Problem }

func (c *checker) refuse(v *jsondoc.Value, code int, format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, jsondoc.At(v, code, format, args...))
	}
}

// checkName holds the name of the address to the rules, and to the name in the body where there is one.
func (c *checker) checkName(name string, body *jsondoc.Value, code int) {
	if wrong := nameProblem(name); wrong != "" {
		c.problems = append(c.problems, fault.Problem{Code: code,
			Message: "the name in the address " + wrong + "; take 1 to 128 visible characters, no slash among them"})
	}
	if body.Kind() == jsondoc.String && body.Text() != name {
		c.refuse(body, code, "%q is not the name %q in the address; make them the same", clip(body.Text()), clip(name))
	}
}

// clip shortens foreign text for a message.
func clip(text string) string {
	const longest = 80
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
