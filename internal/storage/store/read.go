package store

import "context"

// Read returns what a function reads in a transaction, like View.
func Read[T any](ctx context.Context, s *Store, f func(*Tx) (T, error)) (value T, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		value, err = f(tx)
		return err
	})
	return value, err
}
