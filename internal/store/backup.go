package store

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"parley/internal/fault"
)

// Backup writes a consistent copy of a SQLite database, itself a SQLite file, while the server runs. It
// needs room for the copy in the folder for temporary files. Unsupported on PostgreSQL, which has
// its own means.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	dir, err := os.MkdirTemp("", "parley-backup-")
	if err != nil {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "make a folder for the backup: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "copy.db")
	if err := s.engine.backup(ctx, path); err != nil {
		return classify(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "read the copy: %w", err)
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// backup copies on a connection of its own, so that uploads and readers go on.
func (db *sqliteDB) backup(ctx context.Context, path string) error {
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
