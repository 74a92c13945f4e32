package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// writes reports whether tests write files that are missing or differ, instead of failing.
func writes() bool { return os.Getenv("PARLEY_GOLDEN") == "write" }

// Golden returns testdata/NAME.vVERSION, an example of a version of a stored format, which never changes: its checksum
// is in testdata/stored.sha256 of the module. With PARLEY_GOLDEN=write, it writes a missing file from present.
func Golden(t testing.TB, name string, version int, present []byte) []byte {
	t.Helper()
	path := filepath.Join("testdata", fmt.Sprintf("%s.v%d", name, version))
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && writes() {
		data = present
		err = errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, data, 0o644))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, remedy(t))
	}
	return data
}

// Same fails the test if the file at path, which the program's output was written to, does not contain got. With
// PARLEY_GOLDEN=write, it writes the file. Unlike an example of a stored format, such a file may change.
func Same(t testing.TB, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if writes() {
		err = os.WriteFile(path, got, 0o644)
	} else if err == nil {
		err = fmt.Errorf("%s differs from:\n%s", path, got)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, remedy(t))
	}
}

func remedy(t testing.TB) string {
	return "If the output is as it should be, write the file: PARLEY_GOLDEN=write go test -run '^" + t.Name() + "$'"
}
