package store

import "context"

// MigrateTo brings an empty database to an earlier version of the tables.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	p, err := s.engine.migrator().provider()
	if err == nil {
		_, err = p.UpTo(ctx, version)
	}
	return err
}

// ForgetMigration makes a database believe that a migration was never applied.
func (s *Store) ForgetMigration(ctx context.Context, version int64) error {
	return s.Update(ctx, func(tx *Tx) error {
		_, err := tx.exec(`DELETE FROM goose_db_version WHERE version_id = $1`, version)
		return err
	})
}

// Insert adds one row.
func (tx *Tx) Insert(query string, args ...any) error {
	_, err := tx.exec(query, args...)
	return err
}
