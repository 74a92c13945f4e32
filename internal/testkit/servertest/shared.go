package servertest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	openapi "parley/api"
	"parley/internal/flow/pipeline"
	"parley/internal/testkit/storetest"
)

// Data shared by all servers of a test binary, created on first use: it is always the same, and creating it takes
// longer than most tests.
var (
	description = sync.OnceValues(openapi.JSON)
	words       = sync.OnceValues(pipeline.LoadWords)
)

func loaded[T any](t *testing.T, load func() (T, error)) T {
	t.Helper()
	v, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return v
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
	storetest.WriteTables(t, path)
}
