package store

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"

	"parley/internal/host/durable"
	"parley/internal/storage/sqldb"
	"parley/internal/words/fault"
)

// sqliteDB is a SQLite file with one writing connection, whose commits are shared, and several readers.
type sqliteDB struct {
	path           string
	writer, reader *sqldb.DB
	group          group
	scrubs         scrubs
}

func openSQLite(ctx context.Context, path string, readers int) (*sqliteDB, error) {
	if !filepath.IsAbs(path) {
		return nil, fault.New(fault.Invalid, fault.CodeInternal,
			"SQLite database path %q is not absolute; write sqlite:///absolute/path.db", path)
	}
	if err := createPrivate(path); err != nil {
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "create the database file: %w", err)
	}
	writer, err := connect(path, 1, url.Values{
		"_txlock":       {"immediate"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"}, // commits are durable on return
		"_pragma":       {"secure_delete(1)", "journal_size_limit(67108864)", "cache_size(-16384)"},
	})
	if err != nil {
		return nil, err
	}
	reader, err := connect(path, readers, url.Values{"_query_only": {"1"}})
	if err != nil {
		return nil, err
	}
	db := &sqliteDB{path: path, writer: writer, reader: reader, group: group{db: writer}}
	if err := db.writer.Ping(ctx); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// createPrivate creates an empty database file that only the current user can read; SQLite gives its WAL the same mode.
func createPrivate(path string) error {
	if err := durable.MakeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// busyTimeout is how long a transaction waits for other processes (commands that run beside the server), in
// milliseconds.
const busyTimeout = "5000"

func connect(path string, connections int, q url.Values) (*sqldb.DB, error) {
	q.Set("_busy_timeout", busyTimeout)
	q.Set("_dqs", "0")
	dsn := (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sqldb.SQLite(cachingConnector{c}, connections), nil
}

func (db *sqliteDB) update(ctx context.Context, f func(*Tx) error) error {
	// Interrupting a statement would roll back the whole shared transaction, so statements are not interrupted: its own
	// deadline ends it.
	whole := context.WithoutCancel(ctx)
	return db.group.update(ctx, func(t *sql.Tx) error { return f(&Tx{ctx: whole, sql: t}) })
}

func (db *sqliteDB) view(ctx context.Context, f func(*Tx) error) error {
	return db.reader.Tx(ctx, nil, func(ctx context.Context, t *sql.Tx) error { return f(&Tx{ctx: ctx, sql: t}) })
}

func (db *sqliteDB) close() error {
	db.reader.Close()
	return db.writer.Close()
}
