package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
)

// Scrub erases the remains of deleted or replaced data of committed transactions. On SQLite, which overwrites freed
// pages already (secure_delete), it empties the write-ahead log, which holds earlier versions of pages. On PostgreSQL
// it does nothing: VACUUM removes deleted rows when it runs. Unavailable while readers block it: call it again.
func (s *Store) Scrub(ctx context.Context) error { return outcome(ctx, s.engine.scrub(ctx)) }

// ScrubKeys is Scrub, and also erases destroyed data keys as far as the database permits, by rewriting their table:
// pages in use may hold earlier contents between rows, even if deleted rows are overwritten. PostgreSQL's write-ahead
// log holds keys until it is recycled.
func (s *Store) ScrubKeys(ctx context.Context) error {
	if err := s.renewals.do(func() error { return s.engine.renewKeys(ctx) }); err != nil {
		return outcome(ctx, err)
	}
	return s.Scrub(ctx)
}

// renewKeys empties the table, so that its pages are overwritten, and fills it again.
func (db *sqliteDB) renewKeys(ctx context.Context) error {
	return db.update(ctx, func(tx *Tx) error {
		rows := tx.query(`SELECT media, key FROM data_key`)
		all, err := sqlrow.All(rows, func(row sqlrow.Row) (k storedKey, err error) {
			err = row.Scan(&k.media, &k.kept)
			return k, err
		})
		if err != nil {
			return err
		}
		if err := tx.exec(`DELETE FROM data_key`); err != nil { // without a condition SQLite drops whole pages
			return err
		}
		for _, k := range all {
			if err := tx.exec(`INSERT INTO data_key (media, key) VALUES ($1, $2)`, k.media, k.kept); err != nil {
				return err
			}
		}
		return nil
	})
}

// renewKeys makes the server write the table to a new file.
func (db *postgresDB) renewKeys(ctx context.Context) error {
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var before string
	if err := c.Row(ctx, `SHOW lock_timeout`, nil, &before); err != nil {
		return err
	}
	if err := c.Exec(ctx, fmt.Sprintf(`SET lock_timeout = %d`, scrubPatience)); err != nil {
		return err
	}
	err = c.Exec(ctx, `VACUUM (FULL) data_key`)
	if e := c.Exec(context.WithoutCancel(ctx), `SET lock_timeout = '`+before+`'`); err == nil {
		err = e
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "55P03" {
		err = fault.New(fault.Unavailable, fault.CodeUnavailable,
			"the table of data keys cannot be rewritten while it is in use")
	}
	return err
}

// scrubs lets concurrent callers share one run.
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

// scrubPatience is how long Scrub waits for readers, in milliseconds: writers are blocked meanwhile.
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
		if err := c.Exec(whole, fmt.Sprintf(`PRAGMA busy_timeout = %d`, scrubPatience)); err != nil {
			return err
		}
		var busy, pages, moved int64
		err = c.Row(whole, `PRAGMA wal_checkpoint(TRUNCATE)`, nil, &busy, &pages, &moved)
		if again := c.Exec(whole, `PRAGMA busy_timeout = `+busyTimeout); err == nil {
			err = again
		}
		if err == nil && busy != 0 {
			err = fault.New(fault.Unavailable, fault.CodeUnavailable,
				"the write-ahead log cannot be truncated while the database is being read")
		}
		return err
	})
}

func (db *postgresDB) scrub(context.Context) error { return nil }
