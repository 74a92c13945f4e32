package columnar

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"parley/internal/query"
)

// ref is a matching call with its sort keys.
type ref struct {
	part *part
	call int
	by   []query.Value
}

// newer compares calls by creation time, newest first.
func newer(a, b ref) int {
	x, y := a.part.Key(a.call), b.part.Key(b.call)
	return bytes.Compare(y[:], x[:])
}

// pick finds the calls of the page, in order, and the total number of matches.
func (q *question) pick() (found []ref, total int, bound bool, err error) {
	if q.newestFirst() {
		found, total, bound, err = q.newest()
	} else {
		found, total, err = q.sorted()
	}
	q.plan.Matched = total
	return found[min(q.offset, len(found)):], total, bound, err
}

// newestFirst reports whether the requested order is the storage order.
func (q *question) newestFirst() bool {
	if len(q.sel.Order) == 0 {
		return true
	}
	f, ok := q.sel.Unaliased(q.sel.Order[0].By).(query.Field)
	return ok && len(q.sel.Order) == 1 && q.sel.Order[0].Descending && f.Space == query.Media &&
		(f.Path[0] == "dateCreated" || f.Path[0] == "mediaId")
}

// newest finds the newest matches and stops there; it counts the others within the time limit for counting.
func (q *question) newest() (page []ref, total int, bound bool, err error) {
	want := q.offset + q.limit
	var rest []*remainder
	err = q.loading(q.ctx, func(stop stop) (err error) {
		page, rest, err = q.firstPage(page, rest, want, stop)
		return err
	}, func() []*part { return q.parts[len(rest)+1:] })
	if err != nil {
		return nil, 0, false, err
	}
	for _, r := range rest {
		total += len(r.found)
	}
	more, bound, err := q.count(rest)
	return page[:min(want, len(page))], total + more, bound, err
}

// firstPage finds the newest matches, and returns what it has not visited of each part. It goes on with a page and the
// remainders of the first parts, also after an error.
func (q *question) firstPage(page []ref, rest []*remainder, want int, stop stop) ([]ref, []*remainder, error) {
	for _, p := range q.parts[len(rest):] {
		longer, r, err := q.pageOf(page, want, p, 0, stop)
		if err != nil {
			return page, rest, err
		}
		page, rest = longer, append(rest, r)
	}
	return page, rest, nil
}

// pageOf adds the newest matches of a part, at or after a call of it, to a page of the newest matches of other parts.
func (q *question) pageOf(page []ref, want int, p *part, from int, stop stop) (_ []ref, r *remainder, err error) {
	r = &remainder{part: p, from: from, at: from}
	for r.at < p.Len() && !full(page, want, ref{part: p, call: r.at}) {
		if r.judge == nil {
			if r.judge, err = q.cond.over(p, q.types, stop); err != nil {
				return nil, nil, err
			}
		}
		call, err := r.judge.next(r.at, stop)
		if err != nil {
			return nil, nil, err
		}
		if call < 0 {
			r.at = p.Len()
			break
		}
		one := ref{part: p, call: call}
		place, _ := slices.BinarySearchFunc(page, one, newer)
		page = slices.Insert(page, place, one)
		r.found, r.at = append(r.found, call), call+1
	}
	return page, r, nil
}

// full reports whether a page is complete without a call and older ones.
func full(page []ref, want int, r ref) bool {
	return len(page) >= want && (want == 0 || newer(r, page[want-1]) > 0)
}

// remainder is the unevaluated rest of a part: without the calls from from to at, exclusive.
type remainder struct {
	part     *part
	judge    *judge // nil: nothing was evaluated
	from, at int
	found    []int // the matches among the evaluated calls
}

// count counts the remaining matches on all processors within the time limit for counting. bound reports that the limit
// was reached.
func (q *question) count(rest []*remainder) (total int, bound bool, err error) {
	ctx, cancel := context.WithTimeoutCause(q.ctx, q.x.Count, errBudget)
	defer cancel()
	var counted atomic.Int64
	err = q.each(ctx, len(rest), func(i int, stop stop) (Plan, error) {
		r := rest[i]
		if r.judge == nil {
			var err error
			if r.judge, err = q.cond.over(r.part, q.types, stop); err != nil {
				return Plan{}, err
			}
		}
		err := r.count(stop, &counted)
		var done Plan
		done.note(r.judge)
		return done, err
	})
	if err != nil && context.Cause(ctx) == errBudget {
		return int(counted.Load()), true, nil
	}
	return int(counted.Load()), false, err
}

func (r *remainder) count(stop stop, counted *atomic.Int64) error {
	j := r.judge
	if j.words == nil {
		for call := j.left.Next(0); call >= 0 && call < r.at; call = j.left.Next(call + 1) {
			j.left.Remove(call)
		}
		counted.Add(int64(j.left.Len()))
		return nil
	}
	for _, err := range j.matches(r.at, stop) {
		if err != nil {
			return err
		}
		counted.Add(1)
	}
	return nil
}

// errBudget means that the time limit for counting was reached.
var errBudget = errors.New("analytics: counting timed out")

// each runs f for 0 to n-1 on the account's processors, and adds up the plans. An f that needs the words of a part runs
// again.
func (q *question) each(ctx context.Context, n int, f func(i int, stop stop) (Plan, error)) error {
	var mu sync.Mutex
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			return q.loading(limited, func(stop stop) error {
				done, err := f(i, stop)
				mu.Lock()
				q.plan.add(done)
				mu.Unlock()
				return err
			}, nil)
		})
	}
	return group.Wait()
}

// sorted finds all matches and keeps the first ones in sort order.
func (q *question) sorted() ([]ref, int, error) {
	keys := make([]query.Expr, len(q.sel.Order))
	for i, o := range q.sel.Order {
		keys[i] = q.sel.Unaliased(o.By)
	}
	want := q.offset + q.limit
	var mu sync.Mutex
	var first []ref
	total := 0
	err := q.each(q.ctx, len(q.parts), func(i int, stop stop) (done Plan, err error) {
		j, err := q.cond.over(q.parts[i], q.types, stop, fieldsOf(keys...)...)
		if err != nil {
			return done, err
		}
		var mine []ref
		n := 0
		for call, err := range j.matches(0, stop) {
			if err != nil {
				return done, err
			}
			n++
			mine = q.keep(append(mine, j.ref(call, keys)), want, 2*want+1000)
		}
		if err := j.Err(); err != nil { // of the keys
			return done, err
		}
		done.note(j)
		mu.Lock()
		defer mu.Unlock()
		first = q.keep(append(first, mine...), want, want)
		total += n
		return done, nil
	})
	return q.keep(first, want, 0), total, err
}

// ref returns a call with its sort keys.
func (j *judge) ref(call int, keys []query.Expr) ref {
	r := ref{j.part, call, make([]query.Value, len(keys))}
	j.call = call
	for i, k := range keys {
		r.by[i] = query.Evaluate(k, j.subject.Value)
	}
	return r
}

// keep sorts the calls once there are at least most, and keeps the first want.
func (q *question) keep(all []ref, want, most int) []ref {
	if len(all) < most {
		return all
	}
	slices.SortFunc(all, func(a, b ref) int { return cmp.Or(byOrder(q.sel.Order, a.by, b.by), newer(a, b)) })
	clear(all[min(want, len(all)):])
	return all[:min(want, len(all))]
}

// byOrder compares sort keys. Missing values come last in both directions.
func byOrder(order []query.Order, a, b []query.Value) int {
	for i, o := range order {
		by := query.Sorted(a[i], b[i])
		if o.Descending && !a[i].Missing() && !b[i].Missing() {
			by = -by
		}
		if by != 0 {
			return by
		}
	}
	return 0
}
