package store

import (
	"context"
	"net/url"
	"os"
	"time"

	"parley/internal/storage/sqldb"
	"parley/internal/words/fault"
)

// Backup writes a consistent copy of a running SQLite database to a SQLite file at a path that must not exist. Only the
// current user can read it. Unsupported on PostgreSQL, which has its own tools.
func (s *Store) Backup(ctx context.Context, path string) error {
	return classify(s.engine.backup(ctx, path))
}

// backupLimit is how long the copy of a database may take.
const backupLimit = 24 * time.Hour

// backup copies on its own connection, so that uploads and readers are not blocked.
func (db *sqliteDB) backup(ctx context.Context, path string) error {
	// SQLite treats an empty file as a new database; creating it here makes it private
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "create the copy: %w", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	own, err := connect(db.path, 1, url.Values{})
	if err != nil {
		return err
	}
	defer own.Close()
	return own.Exec(sqldb.Patient(ctx, backupLimit), `VACUUM INTO $1`, path)
}

func (db *postgresDB) backup(context.Context, string) error {
	return fault.New(fault.Unsupported, fault.CodeConflict,
		"a PostgreSQL database is backed up with its own tools: pg_dump --format=custom <database URL>")
}
