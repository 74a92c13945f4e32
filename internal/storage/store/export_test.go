package store

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"parley/internal/words/cipher"
	"parley/internal/words/media"
)

// Count returns how many rows each table has.
func (s *Store) Count(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := s.View(ctx, func(tx *Tx) error {
		for _, table := range append([]string{"account", "token", "session", "sign_in_link", "media", "usage", "definition",
			"category_version", "classifier", "classifier_use", "analytic_clock", "analytic_removal", "category_apply",
			"callback_retry", "media_change", "audit", "storage", "job", "job_lane",
			"index_pending", "call_index", "segment", "tombstone", "endpoint", "callback_secret", "public_key"}, mediaTables...) {
			var n int
			if err := tx.row(`SELECT COUNT(*) FROM ` + table).Scan(&n); err != nil {
				return err
			}
			counts[table] = n
		}
		return nil
	})
	return counts, err
}

// Tables returns the tables that the migrations leave.
func Tables() ([]string, error) {
	files, err := migrations.ReadDir("migrations")
	var tables []string
	for _, file := range files {
		text, err := migrations.ReadFile("migrations/" + file.Name())
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "CREATE TABLE "); ok {
				tables = append(tables, strings.Fields(name)[0])
			}
			if name, ok := strings.CutPrefix(line, "DROP TABLE "); ok {
				tables = slices.DeleteFunc(tables, func(t string) bool { return t == strings.TrimRight(name, ";\n") })
			}
		}
	}
	return tables, err
}

// LimitPages makes a SQLite database fail like a full disk when it exceeds a number of pages.
func (s *Store) LimitPages(ctx context.Context, pages int) error {
	return s.engine.(*sqliteDB).writer.Exec(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages))
}

// ExpireLeases makes all leases of running jobs end in the past.
func (s *Store) ExpireLeases(ctx context.Context) error {
	return s.Update(ctx, func(tx *Tx) error {
		return tx.exec(`UPDATE job SET lease_until = 1 WHERE state = 'running'`)
	})
}

// DropJobs removes all jobs and lanes.
func (tx *Tx) DropJobs() error {
	err := tx.exec(`DELETE FROM job`)
	if err == nil {
		err = tx.exec(`DELETE FROM job_lane`)
	}
	return err
}

// Analyze updates the statistics of the query planner, as PostgreSQL does by itself after a while, unlike SQLite.
func (s *Store) Analyze(ctx context.Context) error {
	return s.Update(ctx, func(tx *Tx) error {
		if !tx.postgres {
			return nil
		}
		return tx.exec(`ANALYZE`)
	})
}

// PutDataKey stores a key for an item.
func (tx *Tx) PutDataKey(id media.ID, key cipher.Key) error { return tx.putDataKey(id, key) }

// DataKey returns the data key of an item that is to be sealed.
func (tx *Tx) DataKey(id media.ID) (cipher.Key, error) { return tx.dataKey(id) }

// Exec runs a statement directly, bypassing the package.
func (s *Store) Exec(ctx context.Context, query string, args ...any) error {
	return s.Update(ctx, func(tx *Tx) error {
		return tx.exec(query, args...)
	})
}

// Renewed returns when the tables with keys were last rewritten.
func (s *Store) Renewed() time.Time { return s.renewals.began }

// TablePages returns the bytes of a table, with what is left of rows that were deleted: the pages of its file on
// PostgreSQL, the file of the whole database on SQLite.
func (s *Store) TablePages(ctx context.Context, table string) (pages []byte, err error) {
	if db, ok := s.engine.(*sqliteDB); ok {
		if err := s.Scrub(ctx); err != nil {
			return nil, err
		}
		return os.ReadFile(db.path)
	}
	if err := s.Exec(ctx, `CHECKPOINT`); err != nil {
		return nil, err
	}
	err = s.View(ctx, func(tx *Tx) error {
		return tx.row(`SELECT pg_read_binary_file(pg_relation_filepath($1))`, table).Scan(&pages)
	})
	return pages, err
}
