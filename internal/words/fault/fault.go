// Package fault defines the kinds of failure and the public error codes.
//
// Create a fault where the failure is detected and wrap it with %w on the way up; package api maps it to HTTP in one
// table. This package does no I/O and does not know HTTP.
package fault

import (
	"errors"
	"fmt"
	"strings"

	"parley/internal/words/list"
	"parley/internal/words/storable"
)

// Kind classifies a failure. It decides the HTTP status and whether a job is retried.
type Kind int

// The kinds. The zero Kind is Internal: an unclassified error is a server error.
const (
	Internal     Kind = iota // a defect or an unexpected state of the server
	Invalid                  // the request is wrong; a retry does not help
	Unauthorized             // missing or invalid token
	Forbidden                // the token lacks a scope
	NotFound                 // unknown, or owned by another account
	Conflict                 // the resource is in the wrong state
	TooLarge                 // over a size limit
	Unsupported              // an unsupported media type
	Exhausted                // over a rate limit or quota; try later
	Unavailable              // storage, database or a remote engine is down; try later
)

var kindNames = [...]string{"internal", "invalid", "unauthorized", "forbidden", "not found", "conflict", "too large",
	"unsupported", "exhausted", "unavailable"}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return kindNames[k]
}

// Problem is one error in a request: a public code and a sentence that names field, value and remedy.
type Problem struct {
	Code    int
	Message string
	Place   *Place // of a mistake in a query; otherwise nil
}

// Place is the place of a mistake in a text, and what to write there, which the message says in words.
type Place struct {
	Line, Column int      // from 1; columns in UTF-16 code units
	Length       int      // of the wrong part, in UTF-16 code units; 0 at the end of the text
	Expected     []string // what could stand there
	Nearest      string   // the text to put in place of the wrong part; empty for none
}

// Error is a failure of a known kind with at least one problem.
type Error struct {
	Kind     Kind
	Problems []Problem
	cause    error
}

// New returns an error of the given kind with one problem. The format may contain one %w, which
// becomes the cause.
func New(kind Kind, code int, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Problems: []Problem{{Code: code, Message: err.Error()}}, cause: errors.Unwrap(err)}
}

// All returns one error of the given kind for all problems, or nil when there are none.
func All(kind Kind, problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	return &Error{Kind: kind, Problems: problems}
}

// Error joins the messages of all problems.
func (e *Error) Error() string {
	return strings.Join(list.Map(e.Problems, func(p Problem) string { return p.Message }), "; ")
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// KindOf returns the kind of the first fault in err's chain, Internal where there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Brief returns the text of err in a form that fits a database row: no more than most bytes, without characters that a
// database would refuse.
func Brief(err error, most int) string {
	text := storable.Of(err.Error())
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// Is reports whether err is a fault of the given kind. It is false for nil.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }

// ProblemsOf returns the problems of err, or one with code 90003 if err is not a fault. The text of an internal error
// is meant for logs, so it is not repeated here.
func ProblemsOf(err error) []Problem {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind != Internal {
		return e.Problems
	}
	return []Problem{{Code: CodeInternal, Message: "internal error; search the server's log for the reference"}}
}

// List joins names for a message: a, b, c.
func List[T ~string](names []T) string {
	return strings.Join(list.Map(names, func(name T) string { return string(name) }), ", ")
}

// Clip shortens a text for a message to a number of characters.
func Clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Choice joins alternatives for a message: a, b or c.
func Choice[T ~string](names []T) string {
	last := max(len(names)-1, 0)
	if last == 0 {
		return List(names)
	}
	return List(names[:last]) + " or " + string(names[last])
}
