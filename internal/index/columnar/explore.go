package columnar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Limits of an exploration.
const (
	MaxFacets  = 20
	MaxValues  = 100  // of a facet
	MaxBuckets = 1000 // of a histogram
)

// Exploration asks for the calls that meet a condition: the newest ones, their number, and which values they have. It
// covers all readable calls of an account, as trials do.
type Exploration struct {
	Condition   query.Condition // nil: every call
	Searchable  bool            // only calls that the query of the media list finds
	From, Until time.Time       // creation time of the calls, Until exclusive; zero: unbounded
	Rows        int             // number of the newest matching calls to show
	Before      media.ID        // show calls older than this one; empty: the newest
	Counts      bool            // count the matching calls, also in total
	Facets      []query.Field   // count their values
	Values      int             // the most frequent values of a facet to show, or the ranges of its numbers
	Histogram   *Scale          // nil: none
}

// Explored is the answer to an exploration.
type Explored struct {
	Rows       []Row
	More       bool // there are older matching calls than Rows
	Calls      int  // number of calls that were looked at
	Total      int  // number of matching calls
	LowerBound bool // counting took too long: all counts are lower bounds
	Facets     []Facet
	Interval   Interval // of Buckets
	Buckets    []Bucket // from the oldest to the newest call that was looked at, also without matching calls
	Took       time.Duration
	LeftOut    LeftOut
}

// explorer is an exploration in progress.
type explorer struct {
	question
	asked    Exploration
	filter   store.MediaFilter // with the period
	bare     []ref             // calls that only the database has, the newest first
	rest     map[*part]*remainder
	calendar calendar
	explored *Explored
}

// Explore answers an exploration. Rows do not wait for counts: counting begins when they are found, and ends after the
// time limit for counting.
func (x *Index) Explore(ctx context.Context, a account.ID, asked Exploration) (*Explored, error) {
	began := time.Now()
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	e := &explorer{question: question{x: x, ctx: ctx, owner: a, sel: &query.Select{}}, asked: asked,
		rest: map[*part]*remainder{}, explored: &Explored{}}
	err = e.prepare(asked.Condition)
	defer func() { runtime.KeepAlive(e.parts) }() // keeps their mapped memory alive as well
	if err == nil {
		err = e.answer()
	}
	if err = cmp.Or(err, e.readError()); err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	e.explored.Took = time.Since(began)
	return e.explored, nil
}

func (e *explorer) answer() error {
	if err := e.begin(); err != nil {
		return err
	}
	if e.asked.Rows > 0 {
		if err := e.addRows(); err != nil {
			return err
		}
	}
	if e.asked.Counts {
		if err := e.addCounts(); err != nil {
			return err
		}
	}
	left, err := e.unread(e.asked.From, e.asked.Until)
	e.explored.LeftOut.add(left)
	return err
}

// begin finds the calls that the exploration looks at.
func (e *explorer) begin() error {
	e.filter = store.MediaFilter{From: e.asked.From}
	if !e.asked.Until.IsZero() {
		e.filter.Until = e.asked.Until.Add(-time.Millisecond)
	}
	e.cond.among = e.among
	return e.work(e.ctx, func(stop stop) error {
		var r reach
		for _, p := range e.parts {
			set, bare := e.among(p), e.within(p, p.Bare)
			if e.asked.Searchable {
				e.explored.LeftOut.Hidden += e.within(p, p.Alive).Len() - set.Len() + bare.Len()
				clear(bare)
			}
			for call := range bare.All {
				e.bare = append(e.bare, ref{part: p, call: call})
			}
			e.explored.Calls += set.Len() + bare.Len()
			r.add(p, set)
			r.add(p, bare)
			if err := cmp.Or(stop(), p.Err()); err != nil {
				return err
			}
		}
		slices.SortFunc(e.bare, newer)
		var err error
		if e.asked.Histogram != nil && !r.first.IsZero() {
			e.calendar, err = newCalendar(*e.asked.Histogram, r.first, r.last)
		}
		return cmp.Or(err, memory.Take(e.ctx, int64(len(e.bare))*sizeOfRef))
	})
}

// sizeOfRef is the memory of a ref without sort keys, in bytes.
const sizeOfRef = 40

// among returns the calls of a part that the exploration looks at. Those that only the database has are not among them.
func (e *explorer) among(p *part) callset.Set {
	set := e.within(p, p.Alive)
	if e.asked.Searchable {
		set.And(p.Listed)
	}
	return set
}

// within returns those of some calls of a part that were created in the period.
func (e *explorer) within(p *part, some callset.Set) callset.Set {
	set := slices.Clone(some)
	if from, to := p.Between(e.filter.Bounds()); from > 0 || to < p.Len() {
		for call := range set.All {
			if call < from || call >= to {
				set.Remove(call)
			}
		}
	}
	return set
}

// addRows adds the newest matching calls.
func (e *explorer) addRows() error {
	want := e.asked.Rows + 1 // one extra call shows whether there are more
	var page []ref
	parts, bare := e.parts, e.bare
	if e.asked.Before != "" {
		bare = slices.DeleteFunc(slices.Clone(bare), func(r ref) bool { return r.part.ID(r.call) >= e.asked.Before })
	}
	for len(parts) > 0 || len(bare) > 0 {
		lazy := len(parts) == 0 || len(bare) > 0 && newer(bare[0], ref{part: parts[0]}) < 0
		var p *part
		switch {
		case !lazy:
			p, parts = parts[0], parts[1:]
		case full(page, want, bare[0]):
			bare = nil
		default:
			some := bare[:min(len(bare), readAtOnce)]
			bare = bare[len(some):]
			var err error
			if p, err = e.read(e.ctx, some); err != nil {
				return err
			}
		}
		if p == nil {
			continue
		}
		err := e.loading(e.ctx, func(stop stop) error {
			from, _ := p.Between("", e.asked.Before)
			longer, r, err := e.pageOf(page, want, p, from, stop)
			if err != nil {
				return err
			}
			if page = longer; !lazy {
				e.rest[p] = r
			}
			return nil
		}, func() []*part { return parts })
		if err != nil {
			return err
		}
	}
	e.explored.More = len(page) > e.asked.Rows
	rows, err := e.rows(page[:min(len(page), e.asked.Rows)])
	e.explored.Rows = rows
	return err
}

// read reads calls that only the database has; nil if all are deleted.
func (e *explorer) read(ctx context.Context, some []ref) (*part, error) {
	ids := make([]media.ID, len(some))
	for i, r := range some {
		ids[i] = r.part.ID(r.call)
	}
	if err := e.readError(); err != nil {
		return nil, err
	}
	return e.x.Calls.Read(ctx, e.owner, ids)
}

// census is what has been counted of the matching calls.
type census struct {
	mu      sync.Mutex
	total   int
	facets  []*valueCount
	buckets []int
}

// addCounts counts the matching calls on all processors, within the time limit for counting.
func (e *explorer) addCounts() error {
	c := &census{buckets: make([]int, len(e.calendar.starts))}
	for i, f := range e.asked.Facets {
		if err := countable(fmt.Sprintf("/facets/%d", i), f); err != nil {
			return err
		}
		c.facets = append(c.facets, newValueCount(f, e.types))
	}
	ctx, cancel := context.WithTimeoutCause(e.ctx, e.x.Count, errBudget)
	defer cancel()
	err := e.each(ctx, len(e.parts), func(i int, stop stop) (Plan, error) { return e.countPart(c, e.parts[i], stop) })
	for some := range slices.Chunk(e.bare, readAtOnce) {
		if err != nil {
			break
		}
		err = e.countBare(ctx, c, some)
	}
	if e.explored.LowerBound = errors.Is(err, errBudget); err != nil && !e.explored.LowerBound {
		return err
	}
	e.explored.Total = c.total
	return e.work(e.ctx, func(stop) error {
		for _, f := range c.facets {
			e.explored.Facets = append(e.explored.Facets, f.facet(e.asked.Values))
		}
		if h := e.asked.Histogram; h != nil {
			e.explored.Interval = cmp.Or(e.calendar.interval, h.Interval, Daily)
			e.explored.Buckets = e.calendar.buckets(c.buckets)
		}
		return nil
	})
}

// countBare counts matching calls that only the database has.
func (e *explorer) countBare(ctx context.Context, c *census, some []ref) error {
	part, end := memory.Part(ctx)
	defer end()
	p, err := e.read(part, some)
	if err != nil && context.Cause(ctx) == errBudget {
		return errBudget // whatever the database calls it
	}
	if err != nil || p == nil {
		return err
	}
	return e.work(part, func(stop stop) error {
		_, err := e.countPart(c, p, stop)
		return err
	})
}

// countPart counts the matching calls of a part; after an error those that it has found.
func (e *explorer) countPart(c *census, p *part, stop stop) (done Plan, err error) {
	r := e.rest[p]
	if r == nil {
		r = &remainder{part: p}
	}
	matching, err := e.matching(r, stop)
	if matching == nil {
		return done, err
	}
	done.Matched = matching.Len()
	done.note(r.judge)
	buckets := e.calendar.count(p, matching)
	values, none := make([][]counted, len(c.facets)), make([]int, len(c.facets))
	for i, f := range c.facets {
		values[i], none[i] = f.in(p, matching)
	}
	if err := p.Err(); err != nil {
		return done, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += done.Matched
	for i, n := range buckets {
		c.buckets[i] += n
	}
	for i, f := range c.facets {
		before := f.size
		f.add(values[i], none[i])
		if err := cmp.Or(memory.Take(e.ctx, f.size-before), f.tooMany()); err != nil {
			return done, err
		}
	}
	return done, err
}

// matching returns the matching calls of a part; after an error those that it has found, nil for none.
func (q *question) matching(r *remainder, stop stop) (set callset.Set, err error) {
	if r.judge == nil {
		if r.judge, err = q.cond.over(r.part, q.types, stop); err != nil {
			return nil, err
		}
	}
	if r.judge.words == nil {
		return r.judge.left, nil
	}
	set = callset.New(r.part.Len())
	for _, call := range r.found {
		set.Add(call)
	}
	for call := range r.judge.left.All {
		if call >= r.from && call < r.at {
			continue
		}
		matches, err := r.judge.matchesCall(call, stop)
		if err != nil {
			return set, err
		}
		if matches {
			set.Add(call)
		}
	}
	return set, nil
}

// countable refuses facets of instants: each call has one of its own.
func countable(place string, f query.Field) error {
	if f.Type() != query.IsInstant {
		return nil
	}
	return fault.New(fault.Invalid, fault.CodeParameter,
		"%s: %s has a value of its own in each call; use the histogram, or GROUP BY date_trunc('day', %[2]s) "+
			"in a statement", place, f.String())
}
