// Package wire has every JSON shape of the API, both ways: structs with JSON tags, and pure functions that
// make them from domain types. Clients written in Go read answers into the same structs.
//
// It has nothing else: no HTTP, no status codes, no lookups, no signing of links; package api does those.
package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// FormatVersion is the version of the result format that answers carry.
const FormatVersion = "3.0.11"

// Marshal encodes an answer: no HTML escapes, a line feed at the end, the same bytes for the same value.
// It fails only on metadata that is no JSON.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Link is a HAL link.
type Link struct {
	Href string `json:"href"`
}

// Links are HAL links by relation.
type Links map[string]Link

// Href returns the relative reference of a resource: /v3 and the elements, slashes between.
func Href(elements ...string) string {
	return strings.Join(append([]string{"/v3"}, elements...), "/")
}

// links returns links of a media item: itself and the resources below it of the given names.
func links(id media.ID, below ...string) Links {
	l := self("media", string(id))
	for _, name := range below {
		l[name] = Link{Href("media", string(id), name)}
	}
	return l
}

func self(elements ...string) Links { return Links{"self": Link{Href(elements...)}} }

// Time is a timestamp, in UTC with milliseconds on the wire. Fields tagged omitzero leave the zero Time out.
type Time struct{ time.Time }

const layout = `"2006-01-02T15:04:05.000Z"`

// MarshalJSON writes the form 2026-11-20T07:15:02.134Z.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(t.UTC().Format(layout)), nil }

// Message is a warning or an explanation.
type Message struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Problem is an error.
type Problem struct {
	Code  int    `json:"code"`
	Error string `json:"error"`
}

// Failure is the body of every answer that is an error.
type Failure struct {
	Status    int       `json:"status"`
	Errors    []Problem `json:"errors"`
	Warnings  []Message `json:"warnings"` // the same list, where public clients look
	Reference string    `json:"reference"`
}

// NewFailure returns the body of an error with an HTTP status and the reference that the log carries too.
func NewFailure(status int, problems []fault.Problem, reference string) Failure {
	return Failure{Status: status, Errors: errorsOf(problems), Warnings: messages(problems), Reference: reference}
}

func errorsOf(problems []fault.Problem) []Problem {
	list := make([]Problem, len(problems))
	for i, p := range problems {
		list[i] = Problem{p.Code, p.Message}
	}
	return list
}

func messages(problems []fault.Problem) []Message {
	list := make([]Message, len(problems))
	for i, p := range problems {
		list[i] = Message{p.Code, p.Message}
	}
	return list
}

// Root is the answer of GET /v3.
type Root struct {
	Links Links `json:"_links"`
}

// NewRoot returns links to the resources of the given paths below /v3, named by the paths.
func NewRoot(paths ...string) Root {
	l := self()
	for _, p := range paths {
		l[p] = Link{Href(p)}
	}
	return Root{l}
}

// round keeps a number to the given digits behind the point; what is no number becomes 0, which JSON can say.
func round(v float64, digits int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	if math.Abs(v) >= 1<<53 { // has no decimals, and may be too large to be scaled
		return v
	}
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}
