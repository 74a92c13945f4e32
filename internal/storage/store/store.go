// Package store stores the program's rows (accounts, media, results, jobs, …) in SQLite or PostgreSQL, with the same
// SQL and the same behaviour. There is one file per noun.
//
// It does not store the bytes of recordings (package blob), search (package search) or interpret what it stores:
// configurations, transcripts and results are bytes to it (package record).
//
// All access is through transactions: Update writes, View reads a snapshot. Functions reachable from a customer's
// request take the account as their first argument; another account's item is NotFound. Errors are faults; Unavailable
// if the database is down, full or broken. Times are stored as microseconds since 1970 and durations as microseconds,
// zero for none.
package store

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"time"

	"parley/internal/host/memory"
	"parley/internal/storage/job"
	"parley/internal/storage/sqldb"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Config says where the database is.
type Config struct {
	URL         string // "sqlite:///absolute/path.db" or "postgres://user:password@host/database?…"
	Connections int    // maximum connections (SQLite: readers in addition to the one writer); 0: 8

	StorageKeys *cipher.Ring // wrap the keys of streams and items; nil: keys are stored unwrapped
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	engine engine
	queue  *job.Queue
	keys   *cipher.Ring
	opened time.Time

	renewals renewals
	refusal  atomic.Pointer[fault.Error] // why this program does not use the tables; nil: it does
	given    context.Context             // done when the database is given up
	giveUp   context.CancelFunc
}

// engine is one of the two databases. Its functions run a transaction once, without retries.
type engine interface {
	update(ctx context.Context, f func(*Tx) error) error
	view(ctx context.Context, f func(*Tx) error) error
	backup(ctx context.Context, path string) error
	scrub(ctx context.Context) error
	renewKeys(ctx context.Context) error
	migrator() (migrator, error)
	removeFormerFiles() error
	close() error
}

// Open opens a database; Migrate brings its tables up to date. A SQLite file that does not exist is created.
func Open(ctx context.Context, c Config) (*Store, error) {
	if c.Connections <= 0 {
		c.Connections = 8
	}
	e, err := open(ctx, c)
	if err != nil {
		return nil, classify(err)
	}
	s := &Store{engine: e, keys: c.StorageKeys, opened: time.Now()}
	s.given, s.giveUp = context.WithCancel(context.Background())
	s.queue = job.NewQueue(Jobs(s))
	return s, nil
}

func open(ctx context.Context, c Config) (engine, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		// it may contain a password
		return nil, fault.New(fault.Invalid, fault.CodeInternal, "the database URL cannot be parsed")
	}
	switch u.Scheme {
	case "sqlite":
		return openSQLite(ctx, u.Path, c.Connections)
	case "postgres", "postgresql":
		return openPostgres(ctx, c.URL, c.Connections)
	}
	return nil, fault.New(fault.Invalid, fault.CodeInternal,
		"database URL with scheme %q; use sqlite:///absolute/path.db or postgres://…", u.Scheme)
}

// Close ends all connections. Transactions in progress fail.
func (s *Store) Close() error {
	s.giveUp()
	return s.engine.close()
}

// Abandon makes all transactions fail with Unavailable from now on, those in progress too: the database does not answer,
// and the process has to end.
func (s *Store) Abandon() { s.giveUp() }

// errAbandoned is the cause of a transaction's end after Abandon.
var errAbandoned = fault.New(fault.Unavailable, fault.CodeUnavailable, "the database did not answer, and was given up")

// limit returns the context of one transaction.
func (s *Store) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := sqldb.Limit(ctx)
	ctx, abandon := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.given, func() { abandon(errAbandoned) })
	return ctx, func() { stop(); abandon(nil); cancel() }
}

// Queue returns the job queue in this database, for workers and operators.
func (s *Store) Queue() *job.Queue { return s.queue }

// Ping checks that the database responds and is writable; otherwise the error is Unavailable.
func (s *Store) Ping(ctx context.Context) error {
	return s.Update(ctx, func(tx *Tx) error {
		return tx.SetSetting("ping", []byte(time.Now().UTC().Format(time.RFC3339)))
	})
}

// tries bounds how often a transaction is run if the database asks for a retry.
const tries = 12

// Update runs f in a transaction and commits it. When it returns without error, the changes are durable. f runs again
// if the database asks for a retry (conflicting transactions, locks), so it must not have side effects, and it must be
// fast: SQLite has one writer, and after sqldb.Deadline it fails with Unavailable (see sqldb.Patient). On SQLite,
// concurrent Updates share one commit, and f sees the writes of those before it. Unavailable may also mean that the
// answer to a commit was lost: what is tried again must not do harm if it has happened.
// See Also for functions that ctx may add.
func (s *Store) Update(ctx context.Context, f func(*Tx) error) error {
	if err := s.usable(); err != nil {
		return err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	for try := 1; ; try++ {
		var ran *Tx
		err := s.engine.update(ctx, func(tx *Tx) error {
			ran, tx.keys, tx.opened = tx, s.keys, s.opened
			if err := f(tx); err != nil {
				return err
			}
			if err := withAlso(ctx, tx); err != nil {
				return err
			}
			if err := tx.writeChanges(); err != nil {
				return err
			}
			if err := tx.writeEnds(); err != nil {
				return err
			}
			return tx.wakes.Write(jobTx{tx})
		})
		if err == nil {
			s.ring(ran)
			return nil
		}
		if !retryable(err) || try == tries {
			return s.outcome(ctx, err)
		}
		pause := time.Duration(1+rand.IntN(1<<min(try, 8))) * time.Millisecond
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// ring wakes the runners of this process after a committed transaction changed jobs.
func (s *Store) ring(tx *Tx) {
	if tx.added {
		s.queue.Added()
	}
	if tx.removed {
		s.queue.Removed()
	}
}

// View runs f in a read-only transaction on a consistent snapshot. What f reads counts as memory of the work under ctx
// (package memory), row by row; Result and similar functions with large rows count them before reading.
func (s *Store) View(ctx context.Context, f func(*Tx) error) error {
	if err := s.usable(); err != nil {
		return err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	return s.outcome(ctx, s.engine.view(ctx, func(tx *Tx) error {
		tx.keys, tx.opened, tx.counts = s.keys, s.opened, memory.Counted(ctx)
		return f(tx)
	}))
}

// Read returns what f reads in a View.
func Read[T any](ctx context.Context, s *Store, f func(*Tx) (T, error)) (v T, err error) {
	err = s.View(ctx, func(tx *Tx) (err error) {
		v, err = f(tx)
		return err
	})
	return v, err
}

// Tx is a transaction. It must not be used after its function has returned, and is not safe for concurrent use.
type Tx struct {
	ctx            context.Context
	sql            *sql.Tx
	postgres       bool
	keys           *cipher.Ring
	added, removed bool // changes of jobs
	wakes          job.Wakes
	ends           []endOp
	changes        map[media.ID]change
	opened         time.Time // when the store was opened
	counts         bool      // what is read counts as memory of the work under ctx
}

func (tx *Tx) exec(query string, args ...any) error {
	_, err := tx.affected(query, args...)
	return err
}

// affected runs a statement and returns the number of affected rows.
func (tx *Tx) affected(query string, args ...any) (int64, error) {
	r, err := tx.sql.ExecContext(tx.ctx, query, tx.bound(query, args)...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (tx *Tx) query(query string, args ...any) sqlrow.Rows {
	return sqlrow.Of(tx.sql.QueryContext(tx.ctx, query, tx.bound(query, args)...)).Observed(tx.took)
}

func (tx *Tx) row(query string, args ...any) row {
	return row{tx.sql.QueryRowContext(tx.ctx, query, tx.bound(query, args)...), tx}
}

// locking returns the lock clause of a query. SQLite has one writer at a time and needs no locks.
func (tx *Tx) locking(clause string) string {
	if tx.postgres {
		return clause
	}
	return ""
}

// changed runs a statement and returns missing if it affected no row.
func (tx *Tx) changed(missing error, query string, args ...any) error {
	n, err := tx.affected(query, args...)
	if err == nil && n == 0 {
		return missing
	}
	return err
}

// Now returns the time shared by all users of the database.
func (tx *Tx) Now() (time.Time, error) { return tx.now() }

// now returns the time shared by all users of the database: the server's on PostgreSQL, this machine's on SQLite.
func (tx *Tx) now() (time.Time, error) {
	if !tx.postgres {
		return time.Now().UTC().Truncate(time.Microsecond), nil
	}
	var us int64
	err := tx.row(`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)`).Scan(&us)
	return time.UnixMicro(us).UTC(), err
}

// one scans a row; missing is the error if there is none.
func one[T any](row row, scan func(sqlrow.Row) (T, error), missing error) (T, error) {
	v, err := scan(row)
	return found(v, err, missing)
}

// deleteOlder runs a DELETE whose parameter $1 is the time age ago.
func (tx *Tx) deleteOlder(age time.Duration, query string) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(query, now.Add(-age).UnixMicro())
}

// found converts the absence of a row to the given fault.
func found[T any](one T, err error, missing error) (T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return one, missing
	}
	return one, err
}
