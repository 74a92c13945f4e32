// Package category evaluates the categories of an account on a call. A category is a condition of the query language.
//
// It does not save categories (package definition), compile their conditions (package query) or look up the values of a
// call's fields (package fact).
package category

import (
	"cmp"
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
	Value      func(query.Field) query.Value // returns the value of a field of the call; nil: no field has a value
	Categories []Category
	Most       int64 // work limit of all categories together, in units of query.Budget; 0: MostWork

	// Stopped is called every few milliseconds; nil is never called. Once it returns true, evaluation stops and the
	// returned values are invalid.
	Stopped func() bool
}

// MostWork bounds the work of all categories together on one call: about ten seconds of CPU time. The unit is work, not
// time, so that the result for a call does not depend on the load of the machine.
const MostWork = 2000 << 20

// Work other than evaluation.
const (
	workOfField = 20_000 // looking up the value of a field
	workOfHit   = 1000   // storing a hit with the result
)

// Result is the result of one category: whether its condition holds, and where.
type Result struct {
	Name    string
	Matched bool
	Hits    []Hit // ordered by start; empty if the condition holds by its fields alone
}

// Hit is one place where a condition holds.
type Hit struct {
	Speaker    int // index into Transcript.Speakers, -1 for silence and overtalk
	Start, End time.Duration
	Exact      string // the words as written in the transcript, empty for silence and overtalk
}

// Judge returns one Result per category, in the order of the request. Categories that exceed the budget are left out;
// undecided lists their names.
//
// Half of the work is divided equally among the categories, so a category that stays within its share is always
// evaluated. The rest goes, in order, to the categories that need more.
func Judge(r *Request) (found []Result, undecided []string) {
	left := cmp.Or(r.Most, MostWork)
	j := judge{Request: r, call: query.Of(r.Transcript, nil), values: map[string]query.Value{}}
	j.call.Value, j.call.Stopped = j.value, j.stop
	all := make([]*Result, len(r.Categories))
	share := left
	if len(r.Categories) > 1 {
		share = left / 2 / int64(len(r.Categories))
	}
	for pass, most := 0, share; pass < 2; pass++ {
		for i, c := range r.Categories {
			if pass == 1 {
				most = left
			}
			if all[i] != nil || j.stopped || pass == 1 && most <= share { // the first pass had at least this budget
				continue
			}
			budget := &query.Budget{Left: most}
			all[i] = j.judge(c, budget)
			left -= most - budget.Left
		}
	}
	found = []Result{}
	for i, c := range r.Categories {
		if all[i] == nil {
			undecided = append(undecided, c.Name)
		} else {
			found = append(found, *all[i])
		}
	}
	return found, undecided
}

// judge is the state of evaluating one call.
type judge struct {
	*Request
	call    *query.Conversation
	values  map[string]query.Value // values looked up so far
	stopped bool
}

// judge returns nil if the budget is too small.
func (j *judge) judge(c Category, budget *query.Budget) *Result {
	j.call.Budget = budget
	matched, hits := c.Program.Find(j.call)
	if !budget.Spend(workOfHit*len(hits)) || j.stopped {
		return nil
	}
	one := &Result{Name: c.Name, Matched: matched}
	for _, h := range hits {
		one.Hits = append(one.Hits, Hit{Speaker: h.Speaker, Start: h.Start, End: h.End, Exact: j.call.Exact(h)})
	}
	return one
}

func (j *judge) stop() bool {
	j.stopped = j.stopped || j.Stopped != nil && j.Stopped()
	return j.stopped
}

// value returns the value of a field and caches it.
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
