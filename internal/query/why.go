package query

import (
	"cmp"
	"slices"
)

// Limits of a Reason.
const (
	MostShown  = 10 // hits of a part
	MostPlaces = 5  // of a miss
)

// MostReasons is the usual work to find which parts of a condition hold: about a second.
const MostReasons = 200 << 20

// Reason is a part of a condition, and what a call has of it.
type Reason struct {
	*Outline
	Holds    bool
	Decisive []int  // indices of the parts that make it hold, or not hold
	Count    int    // number of hits, at most MostHits; 0 for parts that have parts, except FOLLOWED BY
	Hits     []Hit  // the first of them, at most MostShown
	Misses   []Miss // of a part that does not hold, the nearest first
	Parts    []*Reason
}

// Inquiry asks why a call meets a condition, or not.
type Inquiry struct {
	Call   *Conversation // its Budget is used
	Fields []Field       // those that have a value
	Most   int64         // work to find which parts hold, in units of Budget; half as much to find misses; 0: MostReasons
}

// Why returns what the call has of each part of a condition. nil means that this would take too much work, or that the
// evaluation was stopped. complete is false if looking for misses would take too much work; those that were found are
// correct.
func (q *Inquiry) Why(o *Outline) (reason *Reason, complete bool) {
	most := cmp.Or(q.Most, MostReasons)
	q.Call.Budget = &Budget{Left: most}
	reason = q.reason(o)
	if q.ended() {
		return nil, false
	}
	q.Call.Budget = &Budget{Left: most / 2}
	q.miss(reason)
	return reason, !q.ended()
}

// ended reports whether the work had to stop, so that the latest evaluation is invalid.
func (q *Inquiry) ended() bool {
	return q.Call.Budget.Left < 0 || q.Call.Stopped != nil && q.Call.Stopped()
}

// find evaluates a condition.
func (q *Inquiry) find(c Condition) (bool, []Hit) {
	if q.ended() {
		return false, nil
	}
	holds, hits := Compile(c).Find(q.Call)
	q.Call.Budget.Spend(workOfHit * len(hits))
	return holds && !q.ended(), hits
}

// reason evaluates a part and its parts.
func (q *Inquiry) reason(o *Outline) *Reason {
	r := &Reason{Outline: o, Parts: mapped(o.Parts, q.reason)}
	var hits []Hit
	r.Holds, hits = q.find(o.Condition)
	if len(o.Parts) == 0 || o.Kind == FollowedPart {
		r.Count, r.Hits = len(hits), slices.Clone(hits[:min(len(hits), MostShown)])
	}
	r.Decisive = q.decisive(r)
	return r
}

// decisive returns the parts that decide whether a part holds.
func (q *Inquiry) decisive(r *Reason) (all []int) {
	var by func(part *Reason) bool
	switch {
	case r.Kind == FollowedPart && !r.Holds:
		return []int{q.misfit(r.Condition.(Followed))}
	case !r.Holds && (r.Kind == AndPart || r.Kind == TurnAndPart):
		by = func(part *Reason) bool { return !part.Holds }
	case r.Holds && (r.Kind == OrPart || r.Kind == TurnOrPart):
		by = func(part *Reason) bool { return part.Holds }
	default:
		by = func(*Reason) bool { return true }
	}
	for i, part := range r.Parts {
		if by(part) {
			all = append(all, i)
		}
	}
	if all == nil { // the parts of && hold in different turns
		for i := range r.Parts {
			all = append(all, i)
		}
	}
	return all
}

// misfit returns the first side with which a FOLLOWED BY does not hold.
func (q *Inquiry) misfit(f Followed) int {
	for n := range f.Steps {
		if holds, _ := q.find(f.until(n)); !holds {
			return n
		}
	}
	return len(f.Steps)
}

// until returns the sequence of the first side and n steps.
func (f Followed) until(n int) Condition {
	if n == 0 {
		return f.First
	}
	return Followed{f.First, slices.Clone(f.Steps[:n])}
}

// miss adds the nearest misses to the parts that do not hold.
func (q *Inquiry) miss(r *Reason) {
	for _, part := range r.Parts {
		q.miss(part)
	}
	if r.Holds || q.ended() {
		return
	}
	before := r.Misses
	switch r.Kind {
	case PhrasePart:
		r.Misses = q.phrase(r.Condition.(Says))
	case TurnAndPart, TurnOrPart, TurnNotPart:
		r.Misses = q.turns(r)
	case FollowedPart:
		r.Misses = q.followed(r)
	case IntervalPart:
		r.Misses = q.interval(r.Condition.(Interval))
	case FieldPart:
		r.Misses = q.field(r.Condition)
	}
	if q.ended() { // the last ones may be wrong
		r.Misses = before
	}
}
