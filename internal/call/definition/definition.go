// Package definition defines what an account saves under a name, for use in many requests: vocabularies, keyword
// groups, categories, and the search fields of media.
//
// It validates names and contents and reports all problems together. It does not store definitions (package store),
// encode them (package record) or use them; package plan adds them to the request for a recording.
package definition

import (
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
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, jsondoc.At(v, code, format, args...))
	}
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
func clip(text string) string {
	const longest = 80
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
