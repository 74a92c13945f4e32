package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/storage/sqlrow"
)

// Servers up to version 5 had an index of their own for the query of the media list: tables named search_…, or files
// beside that of SQLite.

// removeFormerIndex removes what is left of it.
func (s *Store) removeFormerIndex(ctx context.Context) error {
	if err := s.Update(ctx, (*Tx).dropFormerTables); err != nil {
		return err
	}
	return s.engine.removeFormerFiles()
}

func (tx *Tx) dropFormerTables() error {
	if !tx.postgres {
		return nil
	}
	tables, err := sqlrow.All(tx.query(`SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
		AND tablename ~ '^search_.*_(account|term|count|call|segment|posting|dead)$'`), sqlrow.Cell[string])
	for _, table := range tables {
		if err := tx.exec(`DROP TABLE "` + table + `"`); err != nil {
			return err
		}
	}
	return err
}

func (*postgresDB) removeFormerFiles() error { return nil }

// removeFormerFiles removes the files of the former index: for parley.db they are named parley-search-….
func (db *sqliteDB) removeFormerFiles() error {
	files, err := filepath.Glob(globbed(strings.TrimSuffix(db.path, ".db")) + "-search-*.db*")
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	return nil
}

// globbed returns a pattern of filepath.Glob that only the path itself matches.
func globbed(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
