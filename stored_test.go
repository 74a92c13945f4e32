package parley_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// storedSums lists what must never change, as sha256sum -c takes it.
const storedSums = "testdata/stored.sha256"

// storedFiles are migrations and the golden files of stored formats; see verify.Golden.
var storedFiles = regexp.MustCompile(`/testdata/[^/]+\.v[0-9]+$|/migrations/[^/]+\.sql$`)

func TestGoldenFilesOfStoredFormatsAndMigrationsNeverChange(t *testing.T) {
	list, err := os.Open(storedSums)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	listed := map[string]bool{}
	for lines := bufio.NewScanner(list); lines.Scan(); {
		sum, file, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			t.Fatalf("%s: %q is not a checksum and a file", storedSums, lines.Text())
		}
		listed[file] = true
		if got := sumOf(t, file); got != sum {
			t.Errorf("%s has changed: data of its version are out there; restore it, and give the new format the "+
				"next version", file)
		}
	}
	err = filepath.WalkDir("internal", func(file string, d fs.DirEntry, err error) error {
		if err == nil && storedFiles.MatchString(filepath.ToSlash(file)) && !listed[filepath.ToSlash(file)] {
			t.Errorf("%s is not listed; add to %s: %s  %s", file, storedSums, sumOf(t, file), file)
		}
		return err
	})
	if err != nil || len(listed) < 20 {
		t.Errorf("%d files are listed (%v)", len(listed), err)
	}
}

func sumOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Errorf("it is kept for good: %v", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
