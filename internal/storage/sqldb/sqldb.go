// Package sqldb holds the connections to SQLite and PostgreSQL. Every call and every transaction on them has a deadline,
// so that a database that stops answering holds up nobody for longer.
//
// It does not know tables. The rest of the program reaches a database only through it; a test of the architecture holds
// that.
package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"parley/internal/words/fault"
)

// How long a call or a transaction may take, unless Patient says otherwise, and how long a migration may.
const (
	Deadline  = 20 * time.Second
	Migration = 24 * time.Hour
)

// errSlow is the cause of a context that reached its deadline.
var errSlow = fault.New(fault.Unavailable, fault.CodeUnavailable, "the database did not answer in time")

type patienceKey struct{}

// Patient returns a context whose calls and transactions may take up to the given time, for work that reads or writes
// many rows. On PostgreSQL a transaction may also pause that long between two statements.
func Patient(ctx context.Context, longest time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, longest)
}

// patience returns the time limit of one call, and whether Patient set it.
func patience(ctx context.Context) (limit time.Duration, set bool) {
	if d, ok := ctx.Value(patienceKey{}).(time.Duration); ok {
		return d, true
	}
	return Deadline, false
}

// Limit returns a context with the deadline of one call or transaction. Its cause is an Unavailable fault when the
// deadline passes.
func Limit(ctx context.Context) (context.Context, context.CancelFunc) {
	limit, _ := patience(ctx)
	return context.WithTimeoutCause(ctx, limit, errSlow)
}

// DB is a pool of connections. It is safe for concurrent use.
type DB struct {
	pool     *sql.DB
	idle     int // most connections that are kept without use
	postgres bool
}

// SQLite returns a pool of connections to a SQLite file.
func SQLite(c driver.Connector, connections int) *DB {
	db := &DB{pool: sql.OpenDB(c), idle: connections}
	db.pool.SetMaxOpenConns(connections)
	db.pool.SetMaxIdleConns(connections)
	return db
}

// Close ends all connections.
func (db *DB) Close() error { return db.pool.Close() }

// Pool returns the pool itself, for a library that makes its calls under a context of Limit.
func (db *DB) Pool() *sql.DB { return db.pool }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	return db.seen(db.pool.PingContext(ctx))
}

// Exec runs a statement outside a transaction.
func (db *DB) Exec(ctx context.Context, query string, args ...any) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	_, err := db.pool.ExecContext(ctx, query, args...)
	return db.seen(err)
}

// Row reads the one row of a query outside a transaction.
func (db *DB) Row(ctx context.Context, query string, args []any, into ...any) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	return db.seen(db.pool.QueryRowContext(ctx, query, args...).Scan(into...))
}

// Tx runs f in a transaction, and commits it if f returns nil. Every statement of f must use the context that it gets:
// at its deadline the transaction is rolled back.
func (db *DB) Tx(ctx context.Context, o *sql.TxOptions, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	return db.seen(run(ctx, db.pool, db.postgres, o, f))
}

// Begin begins a transaction whose statements may be run by several callers; end must be called after its end.
func (db *DB) Begin(ctx context.Context) (_ context.Context, tx *sql.Tx, end func(), err error) {
	ctx, cancel := Limit(ctx)
	tx, err = begin(ctx, db.pool, db.postgres, nil)
	if err != nil {
		cancel()
		return nil, nil, nil, db.seen(err)
	}
	return ctx, tx, cancel, nil
}

// beginner is a pool or a connection.
type beginner interface {
	BeginTx(ctx context.Context, o *sql.TxOptions) (*sql.Tx, error)
}

func begin(ctx context.Context, on beginner, postgres bool, o *sql.TxOptions) (*sql.Tx, error) {
	tx, err := on.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	if limit, set := patience(ctx); set && postgres {
		if _, err := tx.ExecContext(ctx, localLimits(limit)); err != nil {
			tx.Rollback()
			return nil, err
		}
	}
	return tx, nil
}

func run(
	ctx context.Context, on beginner, postgres bool, o *sql.TxOptions, f func(context.Context, *sql.Tx) error,
) error {
	tx, err := begin(ctx, on, postgres, o)
	if err != nil {
		return err
	}
	defer tx.Rollback() // even if f panics
	if err := f(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Conn is one connection of a pool.
type Conn struct {
	db   *DB
	conn *sql.Conn
}

// Conn takes a connection out of the pool.
func (db *DB) Conn(ctx context.Context) (*Conn, error) {
	ctx, cancel := Limit(ctx)
	defer cancel()
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return nil, db.seen(err)
	}
	return &Conn{db, c}, nil
}

// Close returns the connection to the pool.
func (c *Conn) Close() error { return c.conn.Close() }

// Discard ends the connection, with the locks of its session.
func (c *Conn) Discard() {
	c.conn.Raw(func(any) error { return driver.ErrBadConn })
	c.conn.Close()
}

// Exec runs a statement outside a transaction.
func (c *Conn) Exec(ctx context.Context, query string, args ...any) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	_, err := c.conn.ExecContext(ctx, query, args...)
	return c.db.seen(err)
}

// Row reads the one row of a query.
func (c *Conn) Row(ctx context.Context, query string, args []any, into ...any) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	return c.db.seen(c.conn.QueryRowContext(ctx, query, args...).Scan(into...))
}

// Tx is DB.Tx on this connection.
func (c *Conn) Tx(ctx context.Context, o *sql.TxOptions, f func(context.Context, *sql.Tx) error) error {
	ctx, cancel := Limit(ctx)
	defer cancel()
	return c.db.seen(run(ctx, c.conn, c.db.postgres, o, f))
}
