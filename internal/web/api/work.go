package api

import (
	"context"

	"parley/internal/host/fair"
)

// work runs a part of a request that uses a processor for long when its input or output is large, such as parsing and
// rendering. It runs in a processor slot of the account, so that other accounts get a processor within a time slice
// however many requests of one account are running. f must not block on anything else. The error is that of f, or the
// cause of the end of ctx.
func work[T any](ctx context.Context, f func() (T, error)) (done T, err error) {
	err = fair.Work(ctx, func(func() error) (err error) {
		done, err = f()
		return err
	})
	return done, err
}

// rendered is work for functions that cannot fail.
func rendered[T any](ctx context.Context, f func() T) (T, error) {
	return work(ctx, func() (T, error) { return f(), nil })
}
