package store

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
)

// OpenExisting is Open for an existing database with tables of this program, of whatever version. NotFound if there is
// none; nothing is created then.
func OpenExisting(ctx context.Context, c Config) (*Store, error) {
	missing := fault.New(fault.NotFound, fault.CodeNotFound, "no database of parley found")
	if u, err := url.Parse(c.URL); err == nil && u.Scheme == "sqlite" {
		info, err := os.Stat(u.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0:
			return nil, missing
		case err != nil:
			return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "check the database file: %w", err)
		}
	}
	s, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	made, err := s.Made(ctx)
	if err == nil && !made {
		err = missing
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Made reports whether the database has tables of this program, of whatever version. It creates none.
func (s *Store) Made(ctx context.Context) (bool, error) { return Read(ctx, s, (*Tx).made) }

func (tx *Tx) made() (bool, error) {
	for _, table := range []string{"account", "media"} {
		if there, err := tx.hasTable(table); err != nil || !there {
			return false, err
		}
	}
	return true, nil
}

func (tx *Tx) hasTable(name string) (there bool, err error) {
	query := `SELECT COUNT(*) = 1 FROM sqlite_master WHERE type = 'table' AND name = $1`
	if tx.postgres {
		query = `SELECT to_regclass($1) IS NOT NULL`
	}
	return sqlrow.Cell[bool](tx.row(query, name))
}
