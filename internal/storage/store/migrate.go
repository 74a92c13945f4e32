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

// versionTable has the migrations that were applied. Databases of before the first version have none of this name.
const versionTable = "schema_version"

// migrator is what goose has to know of a database.
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

// hold waits until no other process migrates. PostgreSQL has a lock of its own, which the provider takes; SQLite has
// none that outlasts a transaction, so the folder of its file is locked.
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

// Migrate brings the tables to the version of this program; it does nothing when they are. Several processes may
// call it at the same time. Conflict, and nothing is changed, when the database is of before the first version or of a
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
			"the database has version %d, this program knows %d; use the newer program that made it", current, latest)
	}
	if pending, err := p.HasPending(ctx); err == nil && !pending {
		return nil // without PostgreSQL's lock, for which nodes that start together would queue for seconds
	}
	_, err = p.Up(ctx)
	return classify(err)
}

// Version returns the version of the tables and the one this program needs. Conflict when the tables are of before the
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

// refuseUnversioned is a Conflict when there are tables of this program, and none that has their version. A migration
// makes the latter first, so that a start beside another one never takes its tables for old ones.
func (s *Store) refuseUnversioned(ctx context.Context) error {
	return s.View(ctx, func(tx *Tx) error {
		made, err := tx.made()
		if err != nil || !made {
			return err
		}
		versioned, err := tx.hasTable(versionTable)
		if err == nil && !versioned {
			err = fault.New(fault.Conflict, fault.CodeConflict,
				"the database was made before version 1 of the stored formats, "+
					"and data of before version 1 cannot be read; start with a new data directory or an empty database")
		}
		return err
	})
}
