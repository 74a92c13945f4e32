package store

import (
	"context"
	"net/url"
	"os"

	"parley/internal/words/fault"
)

// Backup writes a consistent copy of a SQLite database, itself a SQLite file that only we can read, to a path
// where nothing is yet, while the server runs. Unsupported on PostgreSQL, which has its own means.
func (s *Store) Backup(ctx context.Context, path string) error {
	return classify(s.engine.backup(ctx, path))
}

// backup copies on a connection of its own, so that uploads and readers go on.
func (db *sqliteDB) backup(ctx context.Context, path string) error {
	// an empty file is as good as none, but private
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
	_, err = own.ExecContext(ctx, `VACUUM INTO $1`, path)
	return err
}

func (db *postgresDB) backup(context.Context, string) error {
	return fault.New(fault.Unsupported, fault.CodeConflict,
		"a PostgreSQL database is backed up with its own tools: pg_dump --format=custom <database URL>")
}
