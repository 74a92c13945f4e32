package columnar

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// LeftOut counts the calls of an account that an answer about many calls does not cover. Each number is capped, so that
// counting stays cheap.
type LeftOut struct {
	Unasked int // finished, but not posted for the analytic database
	Waiting int // not finished yet
	Sealed  int // readable only by the owner of a key
	Hidden  int // not searchable, where only searchable calls are asked about
	More    bool
}

// mostLeftOut caps the count of calls that are not in the index.
const mostLeftOut = 10_000

// Total returns the number of calls left out.
func (l LeftOut) Total() int { return l.Unasked + l.Waiting + l.Sealed + l.Hidden }

// add adds the numbers of other calls.
func (l *LeftOut) add(o LeftOut) {
	l.Unasked += o.Unasked
	l.Waiting += o.Waiting
	l.Sealed += o.Sealed
	l.Hidden += o.Hidden
	l.More = l.More || o.More
}

// Warning explains which calls are left out, and how to include them.
func (l LeftOut) Warning() fault.Problem {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{l.Unasked, "posted without publish.enableAnalyticIndexing"},
		{l.Waiting, "not processed yet"},
		{l.Sealed, "encrypted"},
		{l.Hidden, "not searchable"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	atLeast := ""
	if l.More {
		atLeast = "at least "
	}
	return fault.Problem{Code: fault.CodeNotIndexed,
		Message: fmt.Sprintf("calls that the answer leaves out: %s%d (%s)", atLeast, l.Total(),
			strings.Join(parts, ", "))}
}

// LeftOut counts the calls that statements and exports do not cover at present.
func (x *Index) LeftOut(ctx context.Context, a account.ID) (LeftOut, error) {
	q := &question{x: x, ctx: ctx, owner: a}
	var err error
	if q.parts, err = x.Calls.Snapshot(ctx, a); err != nil {
		return LeftOut{}, err
	}
	defer runtime.KeepAlive(q.parts)
	return q.leftOut()
}

// leftOut counts the calls that a statement does not cover.
func (q *question) leftOut() (LeftOut, error) {
	l, err := q.unread(time.Time{}, time.Time{})
	for _, p := range q.parts {
		l.Unasked += p.Alive.Len() + p.Bare.Len() - p.Visible.Len()
	}
	return l, err
}

// unread counts the calls created within a period (zero: unbounded) that cannot be read yet, or at all.
func (q *question) unread(from, until time.Time) (l LeftOut, err error) {
	u, err := store.Read(q.ctx, q.x.Store, func(tx *store.Tx) (store.Unread, error) {
		return tx.CountUnread(q.owner, from, until, mostLeftOut)
	})
	return LeftOut{Waiting: u.Waiting, Sealed: u.Sealed, More: u.More}, err
}
