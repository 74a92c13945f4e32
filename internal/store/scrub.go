package store

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"parley/internal/fault"
)

// Scrub removes the traces of what committed transactions have deleted or replaced. On SQLite, where freed pages are
// overwritten already (secure_delete), it empties the write-ahead log, in which earlier states of pages stand. On
// PostgreSQL the server's vacuum does its part, when it comes to it, and Scrub does nothing. Unavailable while readers
// are in the way: it is to be tried again.
func (s *Store) Scrub(ctx context.Context) error { return outcome(ctx, s.engine.scrub(ctx)) }

// scrubs lets those who ask at the same time share one scrubbing.
type scrubs struct {
	asked atomic.Int64
	mu    sync.Mutex
	done  int64
}

func (s *scrubs) do(scrub func() error) error {
	mine := s.asked.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done >= mine {
		return nil
	}
	all := s.asked.Load()
	if err := scrub(); err != nil {
		return err
	}
	s.done = all
	return nil
}

// scrubPatience is how long a scrubbing waits for readers, in milliseconds: writers wait meanwhile.
const scrubPatience = 500

func (db *sqliteDB) scrub(ctx context.Context) error {
	return db.scrubs.do(func() error {
		if log, err := os.Stat(db.path + "-wal"); err == nil && log.Size() == 0 {
			return nil
		}
		c, err := db.writer.Conn(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		whole := context.WithoutCancel(ctx)
		if _, err := c.ExecContext(whole, fmt.Sprintf(`PRAGMA busy_timeout = %d`, scrubPatience)); err != nil {
			return err
		}
		var busy, pages, moved int64
		err = c.QueryRowContext(whole, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
		if _, again := c.ExecContext(whole, `PRAGMA busy_timeout = `+busyTimeout); err == nil {
			err = again
		}
		if err == nil && busy != 0 {
			err = fault.New(fault.Unavailable, fault.CodeUnavailable, "the write-ahead log cannot be emptied while the database is read")
		}
		return err
	})
}

func (db *postgresDB) scrub(context.Context) error { return nil }
