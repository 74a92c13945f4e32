package store

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"parley/internal/fault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrator is what goose has to know of a database.
type migrator struct {
	db      *sql.DB
	dialect goose.Dialect
}

func (db *sqliteDB) migrator() migrator   { return migrator{db.writer, goose.DialectSQLite3} }
func (db *postgresDB) migrator() migrator { return migrator{db.pool, goose.DialectPostgres} }

func (m migrator) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if m.dialect == goose.DialectPostgres { // several nodes may start at a time
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(m.dialect, m.db, files, options...)
}

// Migrate brings the tables to the version of this program; it does nothing when they are. Conflict when
// the database was made by a newer program.
func (s *Store) Migrate(ctx context.Context) error {
	p, err := s.engine.migrator().provider()
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
	if _, err = p.Up(ctx); err == nil {
		return nil
	}
	// Another process may have been quicker: SQLite has no lock around all migrations.
	if pending, again := p.HasPending(ctx); again == nil && !pending {
		return nil
	}
	return classify(err)
}

// Version returns the version of the tables and the one this program needs.
func (s *Store) Version(ctx context.Context) (current, latest int64, err error) {
	p, err := s.engine.migrator().provider()
	if err != nil {
		return 0, 0, classify(err)
	}
	current, latest, err = p.GetVersions(ctx)
	return current, latest, classify(err)
}
