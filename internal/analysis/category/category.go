// Package category judges a call by the categories of an account: conditions of the query language that hold for it or
// do not.
//
// It does not save categories (package definition), compile their conditions (package query) or know where the
// values of a call's fields come from (package fact).
package category

import (
	"time"

	"parley/internal/query"
	"parley/internal/words/transcript"
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
	Most       int64 // work for all of them together, in units of query.Budget; 0: MostWork

	// Stopped is asked every few milliseconds. Once it is true the rest is not judged, and what is returned does not
	// count. nil is never.
	Stopped func() bool
}

// MostWork bounds the work of all categories together on one call: about ten seconds of a processor. Work and not time
// is counted, so that a call is always judged alike.
const MostWork = 2000 << 20

// What is work beside judging.
const (
	workOfField = 20_000 // finding what a field of the call holds
	workOfHit   = 1000   // keeping a place: it is stored with the result
)

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

// Judge returns one Found for each category, in their order, except those that are too much work: undecided has their
// names.
//
// Half of the work is shared out evenly. So a category that is no more work than its share is always judged, whatever
// the others are. The rest goes to those that need more, in their order.
func Judge(r *Request) (found []Found, undecided []string) {
	left := r.Most
	if left == 0 {
		left = MostWork
	}
	j := judge{Request: r, call: query.Of(r.Transcript, nil), values: map[string]query.Value{}}
	j.call.Value, j.call.Stopped = j.value, j.stop
	all := make([]*Found, len(r.Categories))
	share := left
	if len(r.Categories) > 1 {
		share = left / 2 / int64(len(r.Categories))
	}
	for pass, most := 0, share; pass < 2; pass++ {
		for i, c := range r.Categories {
			if pass == 1 {
				most = left
			}
			if all[i] != nil || j.stopped || pass == 1 && most <= share { // it has had as much
				continue
			}
			budget := &query.Budget{Left: most}
			all[i] = j.judge(c, budget)
			left -= most - budget.Left
		}
	}
	found = []Found{}
	for i, c := range r.Categories {
		if all[i] == nil {
			undecided = append(undecided, c.Name)
		} else {
			found = append(found, *all[i])
		}
	}
	return found, undecided
}

// judge is a call that is judged.
type judge struct {
	*Request
	call    *query.Conversation
	values  map[string]query.Value // that were asked for
	stopped bool
}

// judge returns nil when the budget does not suffice.
func (j *judge) judge(c Category, budget *query.Budget) *Found {
	j.call.Budget = budget
	matched, hits := c.Program.Find(j.call)
	if !budget.Spend(workOfHit*len(hits)) || j.stopped {
		return nil
	}
	one := &Found{Name: c.Name, Matched: matched}
	for _, h := range hits {
		one.Hits = append(one.Hits, Hit{Speaker: h.Speaker, Start: h.Start, End: h.End, Exact: j.call.Exact(h)})
	}
	return one
}

func (j *judge) stop() bool {
	j.stopped = j.stopped || j.Stopped != nil && j.Stopped()
	return j.stopped
}

// value returns what a field holds, which is looked for once.
func (j *judge) value(f query.Field) query.Value {
	if j.Value == nil {
		return query.Value{}
	}
	name := f.String()
	v, known := j.values[name]
	if !known {
		j.call.Budget.Spend(workOfField)
		v = j.Value(f)
		j.values[name] = v
	}
	return v
}
