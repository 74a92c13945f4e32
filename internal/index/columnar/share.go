package columnar

import (
	"context"
	"errors"

	"parley/internal/host/fair"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// The maximum number of concurrent statements and exports; see package fair. An export needs little memory but runs as
// long as its client reads, so exports have their own room.
var (
	questions = fair.Limits{All: 12, Each: 4, Queue: 100}
	exports   = fair.Limits{All: 24, Each: 4, Queue: 20}
)

// enter waits for a place in a room for an operation of an account.
func enter(ctx context.Context, r *fair.Room, a account.ID, what string) (leave func(), err error) {
	leave, err = r.Enter(ctx, string(a))
	if errors.Is(err, fair.ErrFull) {
		return nil, fault.New(fault.Exhausted, fault.CodeConcurrent,
			"the account has %d %s running and %d waiting, which is the limit; send the next one when one of them "+
				"is answered", r.Each, what, r.Queue)
	}
	return leave, err
}

// stop is called frequently during work. It returns the error that ends the work, if any; otherwise it may wait while
// other accounts use the processors.
type stop func() error

// work runs a function that needs a processor and does not block, in a place of the account.
func (x *Index) work(ctx context.Context, a account.ID, f func(stop) error) error {
	return x.Calls.Work(ctx, a, func(yield func() error) error { return f(yield) })
}

func (q *question) work(ctx context.Context, f func(stop) error) error {
	return q.x.work(ctx, q.owner, f)
}
