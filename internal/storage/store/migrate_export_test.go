package store

import "context"

// SetMigration marks a migration as applied or not applied.
func (s *Store) SetMigration(ctx context.Context, version int64, applied bool) error {
	query := `DELETE FROM schema_version WHERE version_id = $1`
	if applied {
		query = `INSERT INTO schema_version (version_id, is_applied) VALUES ($1, TRUE)`
	}
	return s.Exec(ctx, query, version)
}
