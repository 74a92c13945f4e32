package columnar

import (
	"time"

	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/query/callset"
)

// By is how the calls of a trial are grouped: by a calendar, or by the values of a field.
type By struct {
	Scale *Scale      // with an interval; nil: by Field
	Field query.Field // whose most frequent values, or the ranges of whose numbers, are counted
	Most  int         // number of values
}

// Groups are the counts of a trial by group.
type Groups struct {
	Rows  []Group
	Facet Facet // of all calls, unless the groups are periods: its values are those of Rows
}

// Group is the counts of the calls of a period or with a value.
type Group struct {
	From, Until                  time.Time // of a period
	Calls, Matched, Gained, Lost int
}

// reach is the time from the oldest of some calls to the newest.
type reach struct{ first, last time.Time }

// add adds calls of a part, which are the newest first.
func (r *reach) add(p *part, some callset.Set) {
	newest := some.Next(0)
	if newest < 0 {
		return
	}
	for _, at := range []time.Time{p.Created(newest), p.Created(some.Previous(p.Len() - 1))} {
		if r.first.IsZero() || at.Before(r.first) {
			r.first = at
		}
		if at.After(r.last) {
			r.last = at
		}
	}
}

// grouper counts the calls of a trial by group and kind.
type grouper struct {
	*trying
	calendar calendar
	periods  [kindsOfCalls][]int
	values   [kindsOfCalls]*valueCount
	all      *valueCount
}

// newGrouper returns nil if no groups are asked for.
func (y *trying) newGrouper() (*grouper, error) {
	if y.By == nil {
		return nil, nil
	}
	g := &grouper{trying: y}
	if y.By.Scale != nil {
		return g, y.work(y.ctx, g.divide)
	}
	if err := countable("/groupBy", y.By.Field); err != nil {
		return nil, err
	}
	g.all = newValueCount(y.By.Field, y.types)
	for k := range g.values {
		g.values[k] = newValueCount(y.By.Field, y.types)
	}
	return g, nil
}

// divide makes the calendar, from the oldest call of the trial to the newest.
func (g *grouper) divide(stop stop) error {
	var r reach
	for _, p := range g.parts {
		for _, some := range []callset.Set{p.Alive, p.Bare} {
			within := callset.New(p.Len())
			for call := range some.All {
				if g.within(p.Created(call)) {
					within.Add(call)
				}
			}
			r.add(p, within)
		}
		if err := stop(); err != nil {
			return err
		}
	}
	if r.first.IsZero() {
		return nil
	}
	ok := false
	if g.calendar, ok = calendarOf(*g.By.Scale, r.first, r.last, MaxBuckets); !ok {
		return tooManyBuckets("/groupBy", g.By.Scale.Interval, r.first, r.last)
	}
	for k := range g.periods {
		g.periods[k] = make([]int, len(g.calendar.starts))
	}
	return nil
}

// count counts the calls of a part. The function that it returns adds the counts.
func (g *grouper) count(p *part, sets kinds) (add func() error) {
	if g.all == nil {
		var counts [kindsOfCalls][]int
		for k, set := range sets {
			counts[k] = g.calendar.count(p, set)
		}
		return func() error {
			for k, periods := range counts {
				for i, n := range periods {
					g.periods[k][i] += n
				}
			}
			return nil
		}
	}
	var values [kindsOfCalls][]counted
	var none [kindsOfCalls]int
	for k, set := range sets {
		values[k], none[k] = g.all.in(p, set)
	}
	return func() error {
		before := g.size()
		for k := range values {
			g.all.add(values[k], none[k])
			if k != otherCalls {
				g.values[k].add(values[k], none[k])
			}
		}
		if err := memory.Take(g.ctx, g.size()-before); err != nil {
			return err
		}
		return g.all.tooMany()
	}
}

// size returns the memory of the counts in bytes, about.
func (g *grouper) size() int64 {
	n := g.all.size
	for _, v := range g.values {
		n += v.size
	}
	return n
}

// result returns the counts of the groups.
func (g *grouper) result() *Groups {
	groups := &Groups{Rows: []Group{}}
	group := func(calls int, of func(kind int) int) Group {
		return Group{Calls: calls, Matched: of(gainedCalls) + of(commonCalls), Gained: of(gainedCalls), Lost: of(lostCalls)}
	}
	if g.all == nil {
		for i, b := range g.calendar.buckets(g.periods[otherCalls]) {
			of := func(kind int) int { return g.periods[kind][i] }
			one := group(b.Calls+of(gainedCalls)+of(lostCalls)+of(commonCalls), of)
			one.From, one.Until = b.From, b.Until
			groups.Rows = append(groups.Rows, one)
		}
		return groups
	}
	groups.Facet = g.all.facet(g.By.Most)
	for _, v := range groups.Facet.Values {
		groups.Rows = append(groups.Rows, group(v.Calls, func(kind int) int { return g.values[kind].of(v) }))
	}
	return groups
}
