// Package storetest opens stores for tests: new, migrated, on either database.
//
// It has no tests of its own; the tests of package store run through it on both databases.
package storetest

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Each runs f once on each database.
func Each(t *testing.T, f func(t *testing.T, s *store.Store)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { f(t, Postgres(t)) })
}

// SQLite returns a store on a new file with all tables; the file is removed when the test ends.
func SQLite(t testing.TB) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parley.db")
	WriteTables(t, path)
	return connect(t, "sqlite://"+path)
}

// WriteTables writes an SQLite database with all tables and without rows.
func WriteTables(t testing.TB, path string) {
	t.Helper()
	content, err := tables()
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tables returns an SQLite database with all tables. It is the same for all tests, and creating it takes longer than
// most of them.
var tables = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "parley-tables-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "parley.db")
	if err := migrate("sqlite://" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func migrate(url string) error {
	s, err := store.Open(context.Background(), store.Config{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(context.Background()), s.Close())
}

// SQLiteURL returns the URL of a file that does not exist yet.
func SQLiteURL(t testing.TB) string {
	return "sqlite://" + filepath.Join(t.TempDir(), "parley.db")
}

// Postgres returns a store in a new PostgreSQL database with all tables, which is dropped when the test ends.
func Postgres(t testing.TB) *store.Store {
	t.Helper()
	return connect(t, pgtest.Prepared(t, migrate))
}

// Open returns a store on a database, whose tables it creates; the store is closed when the test ends.
func Open(t testing.TB, url string) *store.Store {
	t.Helper()
	s := connect(t, url)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func connect(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

//go:embed unversioned.sql
var unversioned string

// Unversioned returns a new database with the tables that preceded the first version of the stored formats.
func Unversioned(t testing.TB, url string) *sql.DB {
	t.Helper()
	driver, source := "pgx", url
	if path, sqlite := strings.CutPrefix(url, "sqlite://"); sqlite {
		driver, source = "sqlite", path
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.ExecContext(t.Context(), unversioned); err != nil {
		t.Fatal(err)
	}
	return db
}

// Update runs one transaction that must succeed.
func Update(t testing.TB, s *store.Store, f func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// Account creates an account.
func Account(t testing.TB, s *store.Store, name string) (a account.Account) {
	t.Helper()
	Update(t, s, func(tx *store.Tx) (err error) {
		a, err = tx.CreateAccount(name)
		return err
	})
	return a
}

// Media creates an accepted media item.
func Media(t testing.TB, s *store.Store, a account.ID) (m media.Media) {
	t.Helper()
	Update(t, s, func(tx *store.Tx) (err error) {
		m, err = tx.InsertMedia(media.Media{Account: a, Status: media.Accepted, Priority: media.Normal}, []byte("{}"),
			nil)
		return err
	})
	return m
}

// SetNeeds makes the tables of a SQLite file need programs that know a schema version, as a migration of a newer program
// does.
func SetNeeds(t testing.TB, path string, version int64) {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE schema_needs SET version = $1`, version); err != nil {
		t.Fatal(err)
	}
}
