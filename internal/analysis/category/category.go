// Package category judges a call by the categories of an account: conditions of the query language that hold for it or
// do not.
//
// It does not save categories (package definition), compile their conditions (package query) or know where the
// values of a call's fields come from (package fact).
package category

import (
	"time"

	"parley/internal/query"
	"parley/internal/transcript"
)

// Category is a name with its compiled condition.
type Category struct {
	Name    string
	Program *query.Program
}

// Request asks which categories a call falls into.
type Request struct {
	Transcript *transcript.Transcript
	Value      func(query.Field) query.Value // of the call's fields; nil: no field has a value
	Categories []Category
}

// Found is whether one category holds, and where.
type Found struct {
	Name    string
	Matched bool
	Hits    []Hit // ordered by start; none where it holds by its fields alone
}

// Hit is one place where a condition holds.
type Hit struct {
	Speaker    int // index into Transcript.Speakers, -1 for silence and overtalk
	Start, End time.Duration
	Exact      string // the words as they stand in the transcript, empty for silence and overtalk
}

// Judge returns one Found for each category, in their order.
func Judge(r *Request) []Found {
	found := make([]Found, len(r.Categories))
	if len(found) == 0 {
		return found
	}
	call := query.Of(r.Transcript, r.Value)
	for i, c := range r.Categories {
		matched, hits := c.Program.Find(call)
		found[i] = Found{Name: c.Name, Matched: matched}
		for _, h := range hits {
			found[i].Hits = append(found[i].Hits, Hit{Speaker: h.Speaker, Start: h.Start, End: h.End, Exact: call.Exact(h)})
		}
	}
	return found
}
