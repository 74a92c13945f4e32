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

	// Stopped is asked every few milliseconds. Once it is true the rest is not judged, and what is returned does not
	// count. nil is never.
	Stopped func() bool
}

// mostAsked bounds the work of one category on one call: so often the dearest conditions ask whether to go on for 200,000
// words, for which they take some ten seconds. Work and not time is counted, so that a call is always judged alike.
const mostAsked = 2000

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

// Judge returns one Found for each category, in their order, but for those that are too much work: undecided has their names.
func Judge(r *Request) (found []Found, undecided []string) {
	found = []Found{}
	if len(r.Categories) == 0 {
		return found, nil
	}
	call := query.Of(r.Transcript, r.Value)
	for _, c := range r.Categories {
		asked, stopped := 0, false
		call.Stopped = func() bool {
			asked++
			stopped = r.Stopped != nil && r.Stopped()
			return stopped || asked > mostAsked
		}
		matched, hits := c.Program.Find(call)
		switch {
		case stopped:
			return found, undecided
		case asked > mostAsked:
			undecided = append(undecided, c.Name)
			continue
		}
		one := Found{Name: c.Name, Matched: matched}
		for _, h := range hits {
			one.Hits = append(one.Hits, Hit{Speaker: h.Speaker, Start: h.Start, End: h.End, Exact: call.Exact(h)})
		}
		found = append(found, one)
	}
	return found, undecided
}
