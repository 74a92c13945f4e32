package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Golden returns testdata/NAME.vVERSION, an example of a version of a stored format, which never changes: its checksum
// is in testdata/stored.sha256 of the module. With PARLEY_GOLDEN=write, it writes a missing file from present.
func Golden(t testing.TB, name string, version int, present []byte) []byte {
	t.Helper()
	path := filepath.Join("testdata", fmt.Sprintf("%s.v%d", name, version))
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("PARLEY_GOLDEN") == "write" {
		data = present
		err = errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, data, 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}
