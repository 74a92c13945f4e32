package store

import (
	"context"
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

func (db *sqliteDB) scrub(ctx context.Context) error {
	return db.scrubs.do(func() error {
		var busy, pages, moved int64
		if err := db.writer.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved); err != nil {
			return err
		}
		if busy != 0 {
			return fault.New(fault.Unavailable, fault.CodeUnavailable, "the write-ahead log cannot be emptied while the database is read")
		}
		return nil
	})
}

func (db *postgresDB) scrub(context.Context) error { return nil }
