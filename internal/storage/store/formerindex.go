package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/storage/sqlrow"
)

// Servers of earlier versions have an index of their own for the query of the media list: tables named search_…, or files
// beside that of SQLite. It follows the table index_pending, which servers of this version fill while such servers run.

// oneIndex is the first schema version whose servers do without that index; earlier selects the others in the table node.
const (
	oneIndex = 6
	earlier  = `tables < 6`
)

// mark queues the items that match a condition on the table media for the index of servers of earlier versions.
func (tx *Tx) mark(condition string, args ...any) error {
	return tx.exec(`INSERT INTO index_pending (media, account, change) SELECT id, account, 1 FROM media WHERE `+
		condition+` AND EXISTS (SELECT 1 FROM node WHERE `+earlier+`)
		ON CONFLICT (media) DO UPDATE SET change = index_pending.change + 1`, args...)
}

// RemoveFormerIndex removes the index of servers of earlier versions, unless one of them runs. One that starts later
// makes its index anew, because the setting is gone that says what there is.
func (s *Store) RemoveFormerIndex(ctx context.Context) error {
	alone := false
	err := s.Update(ctx, func(tx *Tx) (err error) {
		if err := tx.lockStorageKeys(); err != nil { // as Announce does
			return err
		}
		if alone, err = tx.alone(); err != nil || !alone {
			return err
		}
		for _, gone := range []string{
			`DELETE FROM node WHERE ` + earlier, // servers that have died
			`DELETE FROM index_pending`,
			`DELETE FROM setting WHERE name IN ('search-index', 'search-rebuild')`,
		} {
			if err := tx.exec(gone); err != nil {
				return err
			}
		}
		return tx.dropFormerTables()
	})
	if err != nil || !alone {
		return err
	}
	return s.engine.removeFormerFiles()
}

// alone reports whether no server of an earlier version runs.
func (tx *Tx) alone() (bool, error) {
	nodes, err := tx.Nodes()
	for _, n := range nodes {
		if n.Tables < oneIndex {
			return false, err
		}
	}
	return true, err
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
