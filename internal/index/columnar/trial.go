package columnar

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Try describes a trial of a condition on stored calls.
type Try struct {
	Condition   query.Condition
	From, Until time.Time // creation time of the calls, Until exclusive; zero: unbounded
	Samples     int       // number of newest matching calls to show
}

// Trial is the result of evaluating a condition on all readable calls of an account, including those not posted for the
// analytic database.
type Trial struct {
	Calls, Matched int
	Days           []Day // days with calls, in order
	Samples        []Sample
	Took           time.Duration
	Plan           Plan
	LeftOut        LeftOut
}

// Day is the result for the calls of one day, in UTC.
type Day struct {
	Date           time.Time
	Calls, Matched int
}

// Sample is a matching call.
type Sample struct {
	Media   media.ID
	Created time.Time
	Hits    []Hit
}

// Try evaluates a condition on the stored calls.
func (x *Index) Try(ctx context.Context, a account.ID, t Try) (*Trial, error) {
	began := time.Now()
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	q := &question{x: x, ctx: ctx, owner: a, sel: &query.Select{}}
	if err := q.prepare(t.Condition); err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	q.cond.among = func(p *part) callset.Set { return p.Alive }
	defer runtime.KeepAlive(q.parts)
	trial, err := q.try(t)
	if err == nil {
		trial.LeftOut, err = q.unread(t.From, t.Until)
	}
	err = cmp.Or(err, q.readError())
	if err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	q.describe()
	trial.Plan, trial.Took = q.plan, time.Since(began)
	return trial, nil
}

// tally counts calls by days.
type tally struct {
	calls, matched map[int64]int // by days since 1970
	newest         []ref
}

// add adds the tally of some calls; it keeps as many of the newest matches as samples are asked for.
func (y *tally) add(o tally, t Try) {
	for day, n := range o.calls {
		y.calls[day] += n
	}
	for day, n := range o.matched {
		y.matched[day] += n
	}
	y.newest = append(y.newest, o.newest...)
	slices.SortFunc(y.newest, newer)
	y.newest = y.newest[:min(len(y.newest), t.Samples)]
}

func (q *question) try(t Try) (*Trial, error) {
	var mu sync.Mutex
	all := tally{map[int64]int{}, map[int64]int{}, nil}
	err := q.each(q.ctx, len(q.parts), func(i int, stop stop) (Plan, error) {
		mine, done, err := q.tallyOf(q.parts[i], t, stop)
		mu.Lock()
		defer mu.Unlock()
		all.add(mine, t)
		return done, err
	})
	if err == nil {
		err = q.tryBare(t, &all)
	}
	if err != nil {
		return nil, err
	}
	trial := &Trial{Matched: q.plan.Matched}
	for day, n := range all.calls {
		trial.Calls += n
		trial.Days = append(trial.Days, Day{time.Unix(day*secondsOfDay, 0).UTC(), n, all.matched[day]})
	}
	slices.SortFunc(trial.Days, func(a, b Day) int { return cmp.Compare(a.Date.Unix(), b.Date.Unix()) })
	trial.Samples, err = q.samples(all.newest)
	return trial, err
}

// readAtOnce is how many calls are read from the database together.
const readAtOnce = 250

// tryBare adds the calls that no segment has, because they are neither posted for the analytic database nor searchable.
func (q *question) tryBare(t Try, all *tally) error {
	var ids []media.ID
	for _, p := range q.parts {
		for call := range p.Bare.All {
			if t.within(p.Created(call)) {
				ids = append(ids, p.ID(call))
			}
		}
	}
	for some := range slices.Chunk(ids, readAtOnce) {
		err := q.fromDatabase(q.ctx, some, func(p *part, stop stop) error {
			mine, done, err := q.tallyOf(p, t, stop)
			all.add(mine, t)
			q.plan.add(done)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fromDatabase runs a function on calls as they are in the database, unless all are deleted. What is read counts as
// memory of the work under ctx.
func (q *question) fromDatabase(ctx context.Context, ids []media.ID, f func(*part, stop) error) error {
	p, err := q.x.Calls.Read(ctx, q.owner, ids)
	if err != nil || p == nil {
		return err
	}
	return q.work(ctx, func(stop stop) error { return f(p, stop) })
}

// within reports whether a trial asks about calls of a time.
func (t Try) within(at time.Time) bool {
	return !at.Before(t.From) && (t.Until.IsZero() || at.Before(t.Until))
}

const secondsOfDay = 24 * 60 * 60

func (q *question) tallyOf(p *part, t Try, stop stop) (tally, Plan, error) {
	var done Plan
	mine := tally{map[int64]int{}, map[int64]int{}, nil}
	j, err := q.cond.over(p, q.types, stop)
	if err != nil {
		return mine, done, err
	}
	days := make([]int64, p.Len())
	for call := range p.Alive.All {
		at := p.Created(call)
		days[call] = at.Unix() / secondsOfDay
		if !t.within(at) {
			j.left.Remove(call)
			continue
		}
		mine.calls[days[call]]++
	}
	for call, err := range j.matches(0, stop) {
		if err != nil {
			return mine, done, err
		}
		done.Matched++
		mine.matched[days[call]]++
		if len(mine.newest) < t.Samples {
			mine.newest = append(mine.newest, ref{part: p, call: call})
		}
	}
	done.note(j)
	return mine, done, j.Err()
}

func (q *question) samples(found []ref) ([]Sample, error) {
	samples, size := []Sample{}, new(atomic.Int64)
	for some := range slices.Chunk(found, together) {
		before := size.Load()
		more, err := q.someSamples(some, size)
		if err == nil {
			err = memory.Take(q.ctx, size.Load()-before)
		}
		if err != nil {
			return nil, err
		}
		samples = append(samples, more...)
	}
	return samples, nil
}

func (q *question) someSamples(found []ref, size *atomic.Int64) (samples []Sample, err error) {
	part, end := memory.Part(q.ctx)
	defer end()
	items, err := q.itemsOf(part, found)
	if err != nil {
		return nil, err
	}
	hits := make([][]Hit, len(found))
	if err := q.find(part, items, hits, size); err != nil {
		return nil, err
	}
	for i, item := range items {
		if item != nil {
			samples = append(samples, Sample{item.Media.ID, item.Media.Created, hits[i]})
		}
	}
	return samples, nil
}
