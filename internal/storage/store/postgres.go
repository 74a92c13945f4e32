package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"parley/internal/words/fault"
)

// postgresDB is a PostgreSQL database. Writers run READ COMMITTED: they lock the rows they depend on, or check them in
// the WHERE clause of the statement that changes them.
type postgresDB struct{ pool *sql.DB }

// PostgresPool returns a pool of connections to a PostgreSQL database. It does not connect yet.
func PostgresPool(url string, connections, idle int) (*sql.DB, error) {
	c, err := pgx.ParseConfig(url)
	if err != nil { // the error text may contain the password
		return nil, fault.New(fault.Invalid, fault.CodeInternal,
			"the PostgreSQL URL cannot be parsed; write postgres://user:password@host:port/database")
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 5 * time.Second
	}
	pool := stdlib.OpenDB(*c)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(idle)
	return pool, nil
}

func openPostgres(ctx context.Context, url string, connections int) (*postgresDB, error) {
	pool, err := PostgresPool(url, connections, connections)
	if err != nil {
		return nil, err
	}
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return &postgresDB{pool}, nil
}

func (db *postgresDB) update(ctx context.Context, f func(*Tx) error) error {
	return db.run(ctx, nil, f)
}

func (db *postgresDB) view(ctx context.Context, f func(*Tx) error) error {
	return db.run(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, f)
}

func (db *postgresDB) run(ctx context.Context, options *sql.TxOptions, f func(*Tx) error) error {
	t, err := db.pool.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	defer t.Rollback() // even if f panics
	if err := f(&Tx{ctx: ctx, sql: t, postgres: true}); err != nil {
		return err
	}
	return t.Commit()
}

func (db *postgresDB) close() error { return db.pool.Close() }
