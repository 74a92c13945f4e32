package columnar

import (
	"context"
	"errors"

	"parley/internal/host/fair"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// How many statements and exports run at once; see package fair. An export takes little memory, and may take as long as
// its client reads: exports have room of their own.
var (
	questions = fair.Limits{All: 12, Each: 4, Queue: 100}
	exports   = fair.Limits{All: 24, Each: 4, Queue: 20}
)

// enter waits for room for something of an account.
func enter(ctx context.Context, r *fair.Room, a account.ID, what string) (leave func(), err error) {
	leave, err = r.Enter(ctx, string(a))
	if errors.Is(err, fair.ErrFull) {
		return nil, fault.New(fault.Exhausted, fault.CodeConcurrent,
			"the account has %d %s under way and %d waiting, as many as it may; send the next one when one of them "+
				"is answered", r.Each, what, r.Queue)
	}
	return leave, err
}

// stop is asked again and again during work. It returns the end of the work, once that has come, and else may wait
// while other accounts have the processors.
type stop func() error

// work runs a piece of work that needs a processor, and that waits for nothing and nobody else, in a place of the
// account's.
func (x *Index) work(ctx context.Context, a account.ID, f func(stop) error) error {
	return fair.Work(fair.With(ctx, x.Processors, string(a)), func(yield func() error) error { return f(yield) })
}

func (q *question) work(ctx context.Context, f func(stop) error) error {
	return q.x.work(ctx, q.owner, f)
}
