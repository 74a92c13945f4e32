package store

import (
	"context"
	"database/sql"

	"parley/internal/storage/sqldb"
)

// postgresDB is a PostgreSQL database. Writers run READ COMMITTED: they lock the rows they depend on, or check them in
// the WHERE clause of the statement that changes them.
type postgresDB struct {
	url  string
	pool *sqldb.DB
}

func openPostgres(ctx context.Context, url string, connections int) (*postgresDB, error) {
	pool, err := sqldb.Postgres(url, connections, connections)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return &postgresDB{url, pool}, nil
}

func (db *postgresDB) update(ctx context.Context, f func(*Tx) error) error {
	return db.run(ctx, nil, f)
}

func (db *postgresDB) view(ctx context.Context, f func(*Tx) error) error {
	return db.run(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, f)
}

func (db *postgresDB) run(ctx context.Context, options *sql.TxOptions, f func(*Tx) error) error {
	return db.pool.Tx(ctx, options, func(ctx context.Context, t *sql.Tx) error {
		return f(&Tx{ctx: ctx, sql: t, postgres: true})
	})
}

func (db *postgresDB) close() error { return db.pool.Close() }
