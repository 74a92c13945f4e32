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
	From, Until time.Time       // creation time of the calls, Until exclusive; zero: unbounded
	Samples     int             // number of newest matching calls to show, of each kind
	With        query.Condition // compare with it; nil: do not compare
	By          *By             // count by groups; nil: do not
}

// Trial is the result of evaluating a condition on all readable calls of an account, including those not posted for the
// analytic database.
type Trial struct {
	Calls, Matched int
	Days           []Day // days with calls, in order
	Samples        []Sample
	Comparison     *Comparison // nil unless With is set
	Groups         *Groups     // nil unless By is set
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

// Comparison is how the calls that match a condition differ from those that match another one.
type Comparison struct {
	Other             int // number of calls that match the other condition
	Gained, Lost      int // number of calls that match this condition alone, or the other one alone
	SamplesGained     []Sample
	SamplesLost, Both []Sample // samples; the hits of those lost are of the other condition
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

// The kinds of calls that a trial counts.
const (
	gainedCalls = iota // match the condition alone
	lostCalls          // match the other condition alone
	commonCalls        // match both
	otherCalls         // match none
	kindsOfCalls
)

// kinds are disjoint sets of the calls of a part, by kind. Without another condition, all matching calls are gained.
type kinds [kindsOfCalls]callset.Set

// tally counts calls by days and kinds.
type tally struct {
	calls, matched map[int64]int // by days since 1970
	counts         [kindsOfCalls]int
	latest         [kindsOfCalls][]ref
}

func newTally() tally { return tally{calls: map[int64]int{}, matched: map[int64]int{}} }

// add adds the tally of some calls; it keeps as many of the newest ones of each kind as samples are asked for.
func (y *tally) add(o tally, t Try) {
	for day, n := range o.calls {
		y.calls[day] += n
	}
	for day, n := range o.matched {
		y.matched[day] += n
	}
	for k := range kindsOfCalls {
		y.counts[k] += o.counts[k]
		y.latest[k] = append(y.latest[k], o.latest[k]...)
		slices.SortFunc(y.latest[k], newer)
		y.latest[k] = y.latest[k][:min(len(y.latest[k]), t.Samples)]
	}
}

// trying is a trial in progress.
type trying struct {
	*question
	Try
	other *condition // to compare with; nil for none
	mu    sync.Mutex
	tally
	groups *grouper // nil for none
}

func (q *question) try(t Try) (*Trial, error) {
	y := &trying{question: q, Try: t, tally: newTally()}
	if t.With != nil {
		err := q.work(q.ctx, func(stop) error {
			y.other = newCondition(t.With)
			y.other.among = q.cond.among
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var err error
	if y.groups, err = y.newGrouper(); err != nil {
		return nil, err
	}
	err = q.each(q.ctx, len(q.parts), func(i int, stop stop) (Plan, error) { return y.count(q.parts[i], stop) })
	if err == nil {
		err = y.tryBare()
	}
	if err != nil {
		return nil, err
	}
	trial := &Trial{Matched: q.plan.Matched}
	for day, n := range y.calls {
		trial.Calls += n
		trial.Days = append(trial.Days, Day{time.Unix(day*secondsOfDay, 0).UTC(), n, y.matched[day]})
	}
	slices.SortFunc(trial.Days, func(a, b Day) int { return cmp.Compare(a.Date.Unix(), b.Date.Unix()) })
	if err := y.show(trial); err != nil || y.groups == nil {
		return trial, err
	}
	return trial, q.work(q.ctx, func(stop) error {
		trial.Groups = y.groups.result()
		return nil
	})
}

// show adds the samples, and the comparison.
func (y *trying) show(trial *Trial) error {
	gained, err := y.samples(y.cond, y.latest[gainedCalls])
	if trial.Samples = gained; err != nil || y.other == nil {
		return err
	}
	lost, err := y.samples(y.other, y.latest[lostCalls])
	if err != nil {
		return err
	}
	both, err := y.samples(y.cond, y.latest[commonCalls])
	if err != nil {
		return err
	}
	trial.Comparison = &Comparison{Other: y.counts[lostCalls] + y.counts[commonCalls], Gained: y.counts[gainedCalls],
		Lost: y.counts[lostCalls], SamplesGained: gained, SamplesLost: lost, Both: both}
	trial.Samples = slices.Concat(gained, both)
	slices.SortFunc(trial.Samples, func(a, b Sample) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.Media, a.Media))
	})
	trial.Samples = trial.Samples[:min(len(trial.Samples), y.Samples)]
	return nil
}

// readAtOnce is how many calls are read from the database together.
const readAtOnce = 250

// tryBare adds the calls that no segment has, because they are neither posted for the analytic database nor searchable.
func (y *trying) tryBare() error {
	var ids []media.ID
	for _, p := range y.parts {
		for call := range p.Bare.All {
			if y.within(p.Created(call)) {
				ids = append(ids, p.ID(call))
			}
		}
	}
	for some := range slices.Chunk(ids, readAtOnce) {
		err := y.fromDatabase(y.ctx, some, func(p *part, stop stop) error {
			done, err := y.count(p, stop)
			y.plan.add(done)
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

// count adds the counts of a part. It calls stop frequently.
func (y *trying) count(p *part, stop stop) (done Plan, err error) {
	sets, done, err := y.kindsOf(p, stop)
	if err != nil {
		return done, err
	}
	mine := newTally()
	for k, set := range sets {
		mine.counts[k] = set.Len()
		for call := range set.All {
			day := p.Created(call).Unix() / secondsOfDay
			mine.calls[day]++
			if k == gainedCalls || k == commonCalls {
				mine.matched[day]++
				done.Matched++
			}
			if k != otherCalls && len(mine.latest[k]) < y.Samples {
				mine.latest[k] = append(mine.latest[k], ref{part: p, call: call})
			}
		}
		if err := cmp.Or(p.Err(), stop()); err != nil {
			return Plan{}, err
		}
	}
	var add func() error
	if y.groups != nil {
		add = y.groups.count(p, sets)
	}
	if err := p.Err(); err != nil {
		return Plan{}, err
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	y.add(mine, y.Try)
	if add == nil {
		return done, nil
	}
	return done, add()
}

// kindsOf returns the calls of a part by kind.
func (y *trying) kindsOf(p *part, stop stop) (sets kinds, done Plan, err error) {
	within := slices.Clone(p.Alive)
	for call := range within.All {
		if !y.within(p.Created(call)) {
			within.Remove(call)
		}
	}
	var other callset.Set
	if sets[gainedCalls], done, err = y.matchingOf(y.cond, p, within, stop); err != nil {
		return sets, done, err
	}
	if other = callset.New(p.Len()); y.other != nil {
		more := Plan{}
		if other, more, err = y.matchingOf(y.other, p, within, stop); err != nil {
			return sets, done, err
		}
		done.add(more)
	}
	sets[commonCalls] = slices.Clone(other)
	sets[commonCalls].And(sets[gainedCalls])
	neither := sets[commonCalls].Others(p.Len())
	sets[otherCalls] = slices.Clone(within)
	for _, matched := range []callset.Set{sets[gainedCalls], other} {
		sets[otherCalls].And(matched.Others(p.Len()))
		matched.And(neither)
	}
	sets[lostCalls] = other
	return sets, done, nil
}

// matchingOf returns those of some calls of a part that match a condition.
func (q *question) matchingOf(c *condition, p *part, within callset.Set, stop stop) (callset.Set, Plan, error) {
	var done Plan
	j, err := c.over(p, q.types, stop)
	if err != nil {
		return nil, done, err
	}
	j.left.And(within)
	matched := callset.New(p.Len())
	for call, err := range j.matches(0, stop) {
		if err != nil {
			return nil, done, err
		}
		matched.Add(call)
	}
	done.note(j)
	return matched, done, j.Err()
}

func (q *question) samples(c *condition, found []ref) ([]Sample, error) {
	samples, size := []Sample{}, new(atomic.Int64)
	for some := range slices.Chunk(found, together) {
		before := size.Load()
		more, err := q.someSamples(c, some, size)
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

func (q *question) someSamples(c *condition, found []ref, size *atomic.Int64) (samples []Sample, err error) {
	part, end := memory.Part(q.ctx)
	defer end()
	items, err := q.itemsOf(part, found)
	if err != nil {
		return nil, err
	}
	hits := make([][]Hit, len(found))
	if err := q.findAll(part, c.whole, items, hits, size); err != nil {
		return nil, err
	}
	for i, item := range items {
		if item != nil {
			samples = append(samples, Sample{item.Media.ID, item.Media.Created, hits[i]})
		}
	}
	return samples, nil
}
