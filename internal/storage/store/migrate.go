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
	"parley/internal/storage/sqldb"
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
	folder  string       // of SQLite's file
	close   func() error // nil: the connections are the store's
}

func (db *sqliteDB) migrator() (migrator, error) {
	return migrator{db: db.writer.Pool(), dialect: goose.DialectSQLite3, folder: filepath.Dir(db.path)}, nil
}

// migrator connects anew: changes of tables may take longer than the statements of a server.
func (db *postgresDB) migrator() (migrator, error) {
	pool, err := sqldb.PostgresForMigration(db.url)
	if err != nil {
		return migrator{}, err
	}
	return migrator{db: pool.Pool(), dialect: goose.DialectPostgres, close: pool.Close}, nil
}

func (m migrator) provider(all fs.FS) (*goose.Provider, error) {
	files, err := fs.Sub(all, "migrations")
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
		return func() { m.close() }, nil
	}
	held, err := filelock.Wait(ctx, m.folder)
	if err != nil {
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "wait for another process that migrates: %w",
			err)
	}
	return func() { held.Close() }, nil
}

// Migrate brings the tables to the version of this program; it does nothing if they are current, or newer and still
// usable. Several processes may call it concurrently. Conflict, without changes, if the database is older than the first
// version, if only newer programs can use it, or if a running server could not use it any more.
func (s *Store) Migrate(ctx context.Context) error { return s.migrate(ctx, migrations) }

func (s *Store) migrate(ctx context.Context, files fs.FS) error {
	ctx, cancel := sqldb.Limit(sqldb.Patient(ctx, sqldb.Migration))
	defer cancel()
	m, err := s.engine.migrator()
	if err != nil {
		return err
	}
	done, err := m.hold(ctx)
	if err != nil {
		return err
	}
	defer done()
	schema, err := s.Schema(ctx)
	if err != nil {
		return err
	}
	if err := schema.Usable(); err != nil || schema.Version > latestMigration(files) {
		return err
	}
	p, err := m.provider(files)
	if err != nil {
		return classify(err)
	}
	if pending, err := p.HasPending(ctx); err == nil && !pending {
		return s.removeFormerIndex(ctx) // without PostgreSQL's lock, for which nodes that start together wait for seconds
	}
	if needs := needsAfter(files, schema.Version); needs > schema.Needs && schema.Version >= sideBySide {
		if err := s.View(ctx, func(tx *Tx) error { return tx.refuseContraction(needs) }); err != nil {
			return err
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return classify(err)
	}
	return s.removeFormerIndex(ctx)
}
