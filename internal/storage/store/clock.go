package store

import (
	"context"
	"time"
)

// clock is an SQL expression for the present time, in microseconds as in columns: that of Clock, to the millisecond on
// SQLite.
func (tx *Tx) clock() string {
	if tx.postgres {
		return `CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS BIGINT)`
	}
	return `CAST(unixepoch('subsec') * 1000000 AS INTEGER)`
}

// expired is the condition on the table media for items whose time to live has expired. Clients do not see them any
// more, even before they are removed.
func (tx *Tx) expired() string { return `(media.expires > 0 AND media.expires <= ` + tx.clock() + `)` }

// Clock returns the time shared by all users of the database: the server's on PostgreSQL, this machine's on SQLite.
func (s *Store) Clock(ctx context.Context) (now time.Time, err error) { return Read(ctx, s, (*Tx).now) }
