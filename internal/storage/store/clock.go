package store

import (
	"context"
	"time"
)

// clock is the present time in a statement, in microseconds as columns have it: that of Clock, to the millisecond on
// SQLite.
func (tx *Tx) clock() string {
	if tx.postgres {
		return `CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS BIGINT)`
	}
	return `CAST(unixepoch('subsec') * 1000000 AS INTEGER)`
}

// expired is the condition of the table media for items whose time to live is over. They are not there any more for
// whoever asks, whenever they are removed.
func (tx *Tx) expired() string { return `(media.expires > 0 AND media.expires <= ` + tx.clock() + `)` }

// Clock returns the time that all who use the database share: the server's on PostgreSQL, ours on SQLite.
func (s *Store) Clock(ctx context.Context) (now time.Time, err error) {
	err = s.View(ctx, func(tx *Tx) (err error) {
		now, err = tx.now()
		return err
	})
	return now, err
}
