package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
)

// Scrub erases the remains of deleted or replaced data of committed transactions. On SQLite, which overwrites freed
// pages already (secure_delete), it empties the write-ahead log, which holds earlier versions of pages. On PostgreSQL
// it does nothing: VACUUM removes deleted rows when it runs. Unavailable while readers block it: call it again.
func (s *Store) Scrub(ctx context.Context) error { return outcome(ctx, s.engine.scrub(ctx)) }

// ScrubKeys is Scrub, and also erases keys of items and segments that were destroyed until a time, as far as the
// database permits, by rewriting their tables: pages in use may hold earlier contents between rows, even if deleted
// rows are overwritten. PostgreSQL's write-ahead log holds keys until it is recycled. It does nothing if this process
// has done so since.
func (s *Store) ScrubKeys(ctx context.Context, until time.Time) error {
	if err := s.renewKeys(ctx, until); err != nil {
		return outcome(ctx, err)
	}
	return s.Scrub(ctx)
}

func (s *Store) renewKeys(ctx context.Context, until time.Time) error {
	s.renewals.mu.Lock()
	defer s.renewals.mu.Unlock()
	if s.renewals.began.After(until) {
		return nil
	}
	began, err := Read(ctx, s, (*Tx).Now)
	if err == nil {
		err = s.engine.renewKeys(ctx)
	}
	if err == nil {
		s.renewals.began = began
	}
	return err
}

// renewals is when the tables with keys were last rewritten.
type renewals struct {
	mu    sync.Mutex
	began time.Time
}

// keyTables are the tables whose rows have keys that are destroyed before their data are.
var keyTables = []string{"data_key", "segment"}

// renewKeys empties the tables, so that their pages are overwritten, and fills them again.
func (db *sqliteDB) renewKeys(ctx context.Context) error {
	return db.update(ctx, func(tx *Tx) error {
		for _, table := range keyTables {
			if err := tx.refill(table); err != nil {
				return err
			}
		}
		return nil
	})
}

// refill empties a table of SQLite and inserts its rows again.
func (tx *Tx) refill(table string) error {
	columns, err := sqlrow.All(tx.query(`SELECT name FROM pragma_table_info($1)`, table), sqlrow.Cell[string])
	if err != nil {
		return err
	}
	rows, err := sqlrow.All(tx.query(`SELECT `+strings.Join(columns, ", ")+` FROM `+table), func(row sqlrow.Row) ([]any, error) {
		cells, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			places[i] = &cells[i]
		}
		return cells, row.Scan(places...)
	})
	if err != nil {
		return err
	}
	if err := tx.exec(`DELETE FROM ` + table); err != nil { // without a condition SQLite drops whole pages
		return err
	}
	for _, cells := range rows {
		in, args := placeholders(cells, nil)
		if err := tx.exec(`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (`+in+`)`, args...); err != nil {
			return err
		}
	}
	return nil
}

// renewKeys makes the server write the tables to new files.
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
	err = c.Exec(ctx, `VACUUM (FULL) `+strings.Join(keyTables, ", "))
	if e := c.Exec(context.WithoutCancel(ctx), `SET lock_timeout = '`+before+`'`); err == nil {
		err = e
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "55P03" {
		err = fault.New(fault.Unavailable, fault.CodeUnavailable,
			"the tables with keys cannot be rewritten while they are in use")
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
