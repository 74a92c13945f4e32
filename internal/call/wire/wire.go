// Package wire defines every JSON shape of the API, for both encoding and decoding: structs with JSON tags, and pure
// functions that build them from domain types. Go clients decode answers into the same structs.
//
// It has no HTTP, status codes, lookups or signing of links; package api does those.
package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// FormatVersion is the version of the result format, which answers contain.
const FormatVersion = "3.0.11"

// Marshal encodes an answer: without HTML escapes, with a line feed at the end, deterministic. It fails only on
// metadata with invalid JSON.
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

// Links maps relations to HAL links.
type Links map[string]Link

// Href returns the relative reference of a resource: /v3 and the elements, separated by slashes.
func Href(elements ...string) string {
	return strings.Join(append([]string{"/v3"}, elements...), "/")
}

// links returns the links of a media item: to itself and to the named sub-resources.
func links(id media.ID, below ...string) Links {
	l := self("media", string(id))
	for _, name := range below {
		l[name] = Link{Href("media", string(id), name)}
	}
	return l
}

func self(elements ...string) Links { return Links{"self": Link{Href(elements...)}} }

// Time is a timestamp, encoded in UTC with milliseconds. Fields tagged omitzero omit the zero Time.
type Time struct{ time.Time }

const layout = `"2006-01-02T15:04:05.000Z"`

// MarshalJSON encodes as 2026-11-20T07:15:02.134Z.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(t.UTC().Format(layout)), nil }

// Message is a warning or an explanation.
type Message struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Problem is an error. Mistakes in queries have a place.
type Problem struct {
	Code  int    `json:"code"`
	Error string `json:"error"`
	QueryPlace
}

// QueryPlace is the place of a mistake in a query, and what to write there.
type QueryPlace struct {
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"` // in UTF-16 code units
	Length   int      `json:"length,omitempty"`
	Expected []string `json:"expected,omitempty"`
	Nearest  string   `json:"nearest,omitempty"` // the text to put in place of the wrong part
}

// Failure is the body of every error answer.
type Failure struct {
	Status    int       `json:"status"`
	Errors    []Problem `json:"errors"`
	Warnings  []Message `json:"warnings"` // the same list, in the field that public clients read
	Reference string    `json:"reference"`
}

// NewFailure returns the body of an error with an HTTP status and the reference that is also in the log.
func NewFailure(status int, problems []fault.Problem, reference string) Failure {
	return Failure{Status: status, Errors: errorsOf(problems), Warnings: messages(problems), Reference: reference}
}

func errorsOf(problems []fault.Problem) []Problem {
	return list.Map(problems, func(p fault.Problem) Problem {
		one := Problem{Code: p.Code, Error: p.Message}
		if p.Place != nil {
			one.QueryPlace = QueryPlace(*p.Place)
		}
		return one
	})
}

func messages(problems []fault.Problem) []Message {
	return list.Map(problems, func(p fault.Problem) Message { return Message{p.Code, p.Message} })
}

// Root is the answer of GET /v3.
type Root struct {
	Links Links `json:"_links"`
}

// NewRoot returns links to the resources with the given paths below /v3; the paths are also their names.
func NewRoot(paths ...string) Root {
	l := self()
	for _, p := range paths {
		l[p] = Link{Href(p)}
	}
	return Root{l}
}

// round rounds to the given number of decimals; NaN and infinities become 0, because JSON cannot encode them.
func round(v float64, digits int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	if math.Abs(v) >= 1<<53 { // has no decimals, and scaling could overflow
		return v
	}
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}
