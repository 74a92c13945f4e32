package store

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"
	"path/filepath"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"parley/internal/host/filelock"
	"parley/internal/words/fault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// versionTable holds the applied migrations. Databases older than the first version have no such table.
const versionTable = "schema_version"

// migrator is what goose needs to know about a database.
type migrator struct {
	db      *sql.DB
	dialect goose.Dialect
	folder  string // of SQLite's file
}

func (db *sqliteDB) migrator() migrator {
	return migrator{db.writer, goose.DialectSQLite3, filepath.Dir(db.path)}
}
func (db *postgresDB) migrator() migrator {
	return migrator{db: db.pool, dialect: goose.DialectPostgres}
}

func (m migrator) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithTableName(versionTable)}
	if m.dialect == goose.DialectPostgres {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // seconds, tries
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(m.dialect, m.db, files, options...)
}

// hold waits until no other process migrates. On PostgreSQL, the provider takes a session lock; SQLite has no lock that
// outlasts a transaction, so the folder of the file is locked.
func (m migrator) hold(ctx context.Context) (done func(), err error) {
	if m.folder == "" {
		return func() {}, nil
	}
	held, err := filelock.Wait(ctx, m.folder)
	if err != nil {
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "wait for another process that migrates: %w",
			err)
	}
	return func() { held.Close() }, nil
}

// Migrate brings the tables to the version of this program; it does nothing if they are current. Several processes may
// call it concurrently. Conflict, without changes, if the database is older than the first version or belongs to a
// newer program.
func (s *Store) Migrate(ctx context.Context) error {
	m := s.engine.migrator()
	done, err := m.hold(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := s.refuseUnversioned(ctx); err != nil {
		return err
	}
	p, err := m.provider()
	if err != nil {
		return classify(err)
	}
	current, latest, err := p.GetVersions(ctx)
	if err != nil {
		return classify(err)
	}
	if current > latest {
		return fault.New(fault.Conflict, fault.CodeConflict,
			"the database has schema version %d, but this program supports only up to %d; "+
				"use the newer program that migrated it", current, latest)
	}
	if pending, err := p.HasPending(ctx); err == nil && !pending {
		return nil // skips PostgreSQL's lock, for which nodes that start together would wait for seconds
	}
	_, err = p.Up(ctx)
	return classify(err)
}

// Version returns the version of the tables and the one this program needs. Conflict if the tables are older than the
// first version.
func (s *Store) Version(ctx context.Context) (current, latest int64, err error) {
	if err := s.refuseUnversioned(ctx); err != nil {
		return 0, 0, err
	}
	p, err := s.engine.migrator().provider()
	if err != nil {
		return 0, 0, classify(err)
	}
	current, latest, err = p.GetVersions(ctx)
	return current, latest, classify(err)
}

// refuseUnversioned returns a Conflict if there are tables of this program but no version table. A migration creates
// the version table first, so that a concurrent start never mistakes new tables for old ones.
func (s *Store) refuseUnversioned(ctx context.Context) error {
	return s.View(ctx, func(tx *Tx) error {
		made, err := tx.made()
		if err != nil || !made {
			return err
		}
		versioned, err := tx.hasTable(versionTable)
		if err == nil && !versioned {
			err = fault.New(fault.Conflict, fault.CodeConflict,
				"the database was created before version 1 of the stored formats, "+
					"and data from before version 1 cannot be read; start with a new data directory or an empty database")
		}
		return err
	})
}
