package servertest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	openapi "parley/api"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/store"
)

// Data shared by all servers of a test binary, created on first use: it is always the same, and creating it takes
// longer than most tests.
var (
	description = sync.OnceValues(openapi.JSON)
	words       = sync.OnceValues(pipeline.LoadWords)
	emptyTables = sync.OnceValues(makeTables)
)

func loaded[T any](t *testing.T, load func() (T, error)) T {
	t.Helper()
	v, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// makeTables returns an SQLite database with all tables, without rows.
func makeTables() ([]byte, error) {
	dir, err := os.MkdirTemp("", "parley-tables-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, databaseName)
	s, err := store.Open(context.Background(), store.Config{URL: "sqlite://" + path})
	if err != nil {
		return nil, err
	}
	err = s.Migrate(context.Background())
	if e := s.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// prepare writes a database with empty tables to path, unless the file exists.
func prepare(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, loaded(t, emptyTables), 0o600); err != nil {
		t.Fatal(err)
	}
}
