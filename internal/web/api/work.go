package api

import (
	"context"

	"parley/internal/host/fair"
)

// work runs a part of a request that needs a processor for long where what was sent or asked for is large, such as
// parsing and rendering, in a place of the account that asks: however many requests of one account are under way,
// others find a processor within a slice. It waits for nothing else. The error is that of f, or the cause of the end of
// ctx.
func work[T any](ctx context.Context, f func() (T, error)) (done T, err error) {
	err = fair.Work(ctx, func(func() error) (err error) {
		done, err = f()
		return err
	})
	return done, err
}

// rendered is work that cannot fail.
func rendered[T any](ctx context.Context, f func() T) (T, error) {
	return work(ctx, func() (T, error) { return f(), nil })
}
