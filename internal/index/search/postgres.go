package search

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/storage/sqldb"
	"parley/internal/storage/sqlrow"
)

// postgresEngine keeps each generation in tables of the database: search_NAME_call and so on.
type postgresEngine struct{ pool *sqldb.DB }

func newPostgres(url string) (*postgresEngine, error) {
	pool, err := sqldb.Postgres(url, 8, 4)
	return &postgresEngine{pool}, err
}

const postgresSchema = `
CREATE TABLE %[1]saccount (id BIGSERIAL PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE %[1]sterm (id BIGINT PRIMARY KEY, text TEXT COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE %[1]scount (first BIGINT PRIMARY KEY, calls BYTEA NOT NULL);
CREATE TABLE %[1]scall (id BIGINT PRIMARY KEY, account BIGINT NOT NULL, media BYTEA NOT NULL UNIQUE, tokens BYTEA NOT NULL);
CREATE INDEX %[1]scall_account ON %[1]scall (account, id);
CREATE TABLE %[1]ssegment (id BIGSERIAL PRIMARY KEY, account BIGINT NOT NULL, low BIGINT NOT NULL, high BIGINT NOT NULL, size INTEGER NOT NULL, calls BYTEA NOT NULL);
CREATE INDEX %[1]ssegment_account ON %[1]ssegment (account, high);
CREATE TABLE %[1]sposting (segment BIGINT NOT NULL, first BYTEA NOT NULL, data BYTEA NOT NULL, PRIMARY KEY (segment, first));
CREATE TABLE %[1]sdead (segment BIGINT NOT NULL, call BIGINT NOT NULL, PRIMARY KEY (segment, call));
ALTER TABLE %[1]scall ALTER COLUMN tokens SET STORAGE EXTERNAL;
ALTER TABLE %[1]scount ALTER COLUMN calls SET STORAGE EXTERNAL;
ALTER TABLE %[1]ssegment ALTER COLUMN calls SET STORAGE EXTERNAL;
ALTER TABLE %[1]sposting ALTER COLUMN data SET STORAGE EXTERNAL;
`

// postgresBlock is the largest block size that PostgreSQL stores inline in the row.
const postgresBlock = 1900

func prefixOf(name string) string { return "search_" + name + "_" }

func (e *postgresEngine) create(ctx context.Context, name string) error {
	err := e.pool.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) error {
		for statement := range strings.SplitSeq(fmt.Sprintf(postgresSchema, prefixOf(name)), ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("create", err)
}

func (e *postgresEngine) connect(ctx context.Context, name string) (*generation, error) {
	var there bool
	err := e.pool.Row(ctx, `SELECT to_regclass($1) IS NOT NULL`, []any{prefixOf(name) + "call"}, &there)
	if err != nil {
		return nil, wrap("open", err)
	}
	if !there {
		return nil, errAbsent
	}
	return &generation{postgres: true, prefix: prefixOf(name), read: e.pool, write: e.pool, blockSize: postgresBlock,
		known: map[string]uint32{}}, nil
}

func (e *postgresEngine) keep(ctx context.Context, names []string) error {
	var tables []string
	err := e.pool.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) (err error) {
		tables, err = sqlrow.All(sqlrow.Of(tx.QueryContext(ctx,
			`SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'search\_%\_call'`)),
			sqlrow.Cell[string])
		return err
	})
	if err != nil {
		return wrap("list generations", err)
	}
	for _, table := range tables {
		name := strings.TrimSuffix(strings.TrimPrefix(table, "search_"), "_call")
		if slices.Contains(names, name) {
			continue
		}
		// call last: its presence marks a generation
		for _, table := range []string{"posting", "dead", "segment", "count", "term", "account", "call"} {
			if err := e.pool.Exec(ctx, `DROP TABLE IF EXISTS `+prefixOf(name)+table); err != nil {
				return wrap("remove a generation", err)
			}
		}
	}
	return nil
}

// lockKey is the advisory lock of the indexer: "parley" and 1.
const lockKey = 0x7061726c65790001

// leaseIdle is how long an indexer may do nothing until another process may take its place; see leaseBeat.
const leaseIdle = 20 * time.Second

// lock is held by a separate connection, which also does the writing: if the connection is lost, both end. The server
// ends it if the process that has it stops.
func (e *postgresEngine) lock(ctx context.Context) (*lease, error) {
	c, err := e.pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var ok bool
	if err := c.Row(ctx, `SELECT pg_try_advisory_lock($1)`, []any{int64(lockKey)}, &ok); err != nil || !ok {
		c.Close()
		return nil, err
	}
	// PostgreSQL knows this limit from version 14 on
	err = c.Exec(ctx, `SELECT set_config(name, $1, FALSE) FROM pg_settings WHERE name = 'idle_session_timeout'`,
		fmt.Sprint(leaseIdle.Milliseconds()))
	if err != nil {
		c.Discard()
		return nil, err
	}
	return &lease{writer: c, renew: func(ctx context.Context) error { return c.Exec(ctx, `SELECT 1`) }, end: func() {
		defer c.Discard() // with the lock, if the server does not answer now
		c.Exec(sqldb.Patient(context.WithoutCancel(ctx), time.Second), `SELECT pg_advisory_unlock($1)`, int64(lockKey))
	}}, nil
}

func (e *postgresEngine) close() error { return e.pool.Close() }
