package store

import (
	"context"
	"io/fs"
	"testing/fstest"
)

// SetMigration marks a migration as applied or not applied.
func (s *Store) SetMigration(ctx context.Context, version int64, applied bool) error {
	query := `DELETE FROM schema_version WHERE version_id = $1`
	if applied {
		query = `INSERT INTO schema_version (version_id, is_applied) VALUES ($1, TRUE)`
	}
	return s.Exec(ctx, query, version)
}

// SetNeeds makes the tables need programs that know a version.
func (s *Store) SetNeeds(ctx context.Context, version int64) error {
	return s.engine.update(ctx, func(tx *Tx) error {
		return tx.exec(`UPDATE schema_needs SET version = $1`, version)
	})
}

// MigrateAs migrates as a later program does, which has one more migration.
func (s *Store) MigrateAs(ctx context.Context, name, text string) error {
	files := fstest.MapFS{"migrations/" + name: {Data: []byte("-- +goose Up\n" + text)}}
	all, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for _, name := range all {
		data, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return s.migrate(ctx, files)
}

// MigrationTexts returns the migrations of the program by version.
func MigrationTexts() map[int64]string { return migrationTexts(migrations) }

// NeedsAfter returns the oldest version whose programs can use the tables after a migration; 0 if it does not say.
func NeedsAfter(text string) int64 {
	return needsAfter(fstest.MapFS{"migrations/1_one.sql": {Data: []byte(text)}}, 0)
}
