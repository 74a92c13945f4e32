package store

import (
	"context"
	"time"
)

// Clock returns the time that all who use the database share: the server's on PostgreSQL, ours on SQLite.
func (s *Store) Clock(ctx context.Context) (now time.Time, err error) {
	err = s.View(ctx, func(tx *Tx) (err error) {
		now, err = tx.now()
		return err
	})
	return now, err
}
