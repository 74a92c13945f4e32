package store

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"parley/internal/storage/sqldb"
	"parley/internal/words/fault"
)

// Schema is the version of a database's tables, beside what this program knows. See docs/decisions/0013.
type Schema struct {
	Version int64 // the last migration of the database
	Known   int64 // the last migration of this program
	Needs   int64 // programs that know this version, or a later one, can use the tables
}

// Usable returns a Conflict if only newer programs can use the tables.
func (s Schema) Usable() error {
	if s.Known >= s.Needs {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeConflict,
		"the database has schema version %d, which programs for version %d or later can use, but this program supports "+
			"only up to %d; use the newer program that migrated it", s.Version, s.Needs, s.Known)
}

// needsTable has the oldest version whose programs can use the tables. Databases before version 3 do not have it.
const needsTable = "schema_needs"

// Schema returns the version of the tables. Conflict if the tables are older than the first version.
func (s *Store) Schema(ctx context.Context) (Schema, error) {
	ctx, cancel := sqldb.Limit(ctx)
	defer cancel()
	var schema Schema
	err := outcome(ctx, s.engine.view(ctx, func(tx *Tx) (err error) {
		schema, err = tx.schema()
		return err
	}))
	return schema, err
}

// schema reads the version of the tables; zero for a database without tables.
func (tx *Tx) schema() (Schema, error) {
	s := Schema{Known: known}
	versioned, err := tx.hasTable(versionTable)
	if err != nil {
		return s, err
	}
	if !versioned {
		return s, tx.refuseUnversioned()
	}
	err = tx.row(`SELECT COALESCE(MAX(version_id), 0) FROM ` + versionTable + ` WHERE is_applied`).Scan(&s.Version)
	if err != nil {
		return s, err
	}
	s.Needs = s.Version
	if there, err := tx.hasTable(needsTable); err != nil || !there {
		return s, err
	}
	return s, tx.row(`SELECT version FROM ` + needsTable).Scan(&s.Needs)
}

// refuseUnversioned returns a Conflict if there are tables of this program without a version. A migration creates the
// version table first, so that a concurrent start never mistakes new tables for old ones.
func (tx *Tx) refuseUnversioned() error {
	made, err := tx.made()
	if err == nil && made {
		err = fault.New(fault.Conflict, fault.CodeConflict,
			"the database was created before version 1 of the stored formats, "+
				"and data from before version 1 cannot be read; start with a new data directory or an empty database")
	}
	return err
}

// CheckSchema returns a fault if a newer program has migrated the database to tables that this one cannot use. Until a
// later check finds usable tables, transactions fail with Unavailable: other servers do the work.
func (s *Store) CheckSchema(ctx context.Context) error {
	schema, err := s.Schema(ctx)
	if err != nil {
		return err
	}
	if err := schema.Usable(); err != nil {
		refusal := fault.New(fault.Unavailable, fault.CodeUnavailable, "%w", err)
		s.refusal.Store(refusal)
		return refusal
	}
	s.refusal.Store(nil)
	return nil
}

// usable returns why no transaction may begin: the store was abandoned, or what CheckSchema last found.
func (s *Store) usable() error {
	if s.given.Err() != nil {
		return errAbandoned
	}
	if refusal := s.refusal.Load(); refusal != nil {
		return refusal
	}
	return nil
}

// outcome converts the error of a transaction to a fault. A missing table or column may be the first sign of a newer
// program's migration.
func (s *Store) outcome(ctx context.Context, err error) error {
	if err != nil && lacking(err) {
		if err := s.CheckSchema(ctx); fault.Is(err, fault.Unavailable) {
			return err
		}
	}
	return outcome(ctx, err)
}

// lacking reports whether a statement named a table or a column that does not exist.
func lacking(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "42P01" || e.Code == "42703"
	}
	return strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column")
}

// known is the latest version that this program knows.
var known = latestMigration(migrations)

// sideBySide is the first version from which on servers of two versions can run on one database.
const sideBySide = 3

// migrationName is the name of a migration's file.
var migrationName = regexp.MustCompile(`^migrations/([0-9]+)_.*\.sql$`)

// latestMigration returns the version of the last migration among files.
func latestMigration(files fs.FS) (latest int64) {
	for version := range migrationTexts(files) {
		latest = max(latest, version)
	}
	return latest
}

// migrationTexts returns the migrations by version.
func migrationTexts(files fs.FS) map[int64]string {
	texts := map[int64]string{}
	names, _ := fs.Glob(files, "migrations/*.sql")
	for _, name := range names {
		if m := migrationName.FindStringSubmatch(name); m != nil {
			version, _ := strconv.ParseInt(m[1], 10, 64)
			text, _ := fs.ReadFile(files, name)
			texts[version] = string(text)
		}
	}
	return texts
}

// needsStatement is the statement of a migration after which older programs cannot use the tables.
var needsStatement = regexp.MustCompile(`(?m)^UPDATE ` + needsTable + ` SET version = ([0-9]+);$`)

// needsAfter returns the oldest version whose programs can use the tables after the migrations later than current.
func needsAfter(files fs.FS, current int64) (needs int64) {
	for version, text := range migrationTexts(files) {
		if version <= current {
			continue
		}
		for _, m := range needsStatement.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			needs = max(needs, n)
		}
	}
	return needs
}

// refuseContraction returns a Conflict if a running server's program cannot use tables that need the given version.
func (tx *Tx) refuseContraction(needs int64) error {
	nodes, err := tx.Nodes()
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if n.Tables < needs {
			return fault.New(fault.Conflict, fault.CodeConflict,
				"server %s runs a program that cannot use the tables after this migration (it supports schema version %d, "+
					"they need %d); upgrade that server to the version in between first, or stop it (a server that has died "+
					"still counts for %s)", n.Name, n.Tables, needs, NodeLife)
		}
	}
	return nil
}
