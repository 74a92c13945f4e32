package search

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"parley/internal/storage/sqlrow"
	"parley/internal/storage/store"
)

// postgresEngine keeps each generation in tables of the database: search_NAME_call and so on.
type postgresEngine struct{ pool *sql.DB }

func newPostgres(url string) (*postgresEngine, error) {
	pool, err := store.PostgresPool(url, 8, 4)
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
	tx, err := e.pool.BeginTx(ctx, nil)
	if err != nil {
		return wrap("create", err)
	}
	defer tx.Rollback()
	for _, statement := range strings.Split(fmt.Sprintf(postgresSchema, prefixOf(name)), ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return wrap("create", err)
		}
	}
	return wrap("create", tx.Commit())
}

func (e *postgresEngine) connect(ctx context.Context, name string) (*generation, error) {
	var there bool
	err := e.pool.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, prefixOf(name)+"call").Scan(&there)
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
	tables, err := sqlrow.All(sqlrow.Of(e.pool.QueryContext(ctx,
		`SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'search\_%\_call'`)),
		sqlrow.Cell[string])
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
			if _, err := e.pool.ExecContext(ctx, `DROP TABLE IF EXISTS `+prefixOf(name)+table); err != nil {
				return wrap("remove a generation", err)
			}
		}
	}
	return nil
}

// lockKey is the advisory lock of the indexer: "parley" and 1.
const lockKey = 0x7061726c65790001

// lock is held by a separate connection, which also does the writing: if the connection is lost, both end.
func (e *postgresEngine) lock(ctx context.Context) (*lease, error) {
	c, err := e.pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var ok bool
	if err := c.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, int64(lockKey)).Scan(&ok); err != nil || !ok {
		c.Close()
		return nil, err
	}
	return &lease{c, func() {
		c.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, int64(lockKey))
		c.Close()
	}}, nil
}

func (e *postgresEngine) close() error { return e.pool.Close() }
