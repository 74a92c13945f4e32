package foldertest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parley/internal/testkit/foldertest"
)

// written returns a folder with two files, one of them in a folder of its own.
func written(t *testing.T) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	paths = []string{filepath.Join(dir, "a"), filepath.Join(dir, "b", "c")}
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if err := os.WriteFile(path, []byte("text of "+filepath.Base(path)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, paths
}

func TestFilesOfAllFoldersAreRead(t *testing.T) {
	dir, paths := written(t)
	contents := foldertest.Contents(t, dir)
	if len(contents) != 2 || string(contents[paths[1]]) != "text of c" {
		t.Errorf("%q", contents)
	}
	if names := foldertest.Names(t, dir); !slices.Equal(names, paths) {
		t.Errorf("names %q", names)
	}
	if names := foldertest.Holding(t, dir, []byte("of a")); !slices.Equal(names, paths[:1]) {
		t.Errorf("held by %q", names)
	}
}

func TestAFileOrFolderThatVanishesMeanwhileIsPassedOver(t *testing.T) {
	dir, paths := written(t)
	var seen []string
	err := foldertest.Each(dir, func(path string, _ fs.DirEntry) error {
		seen = append(seen, path)
		if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		_, err := os.ReadFile(path)
		return err
	})
	if err != nil || !slices.Equal(seen, paths[:1]) {
		t.Error(seen, err)
	}
}

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	if err := foldertest.Each(filepath.Join(t.TempDir(), "x"), func(string, fs.DirEntry) error { return nil }); err == nil {
		t.Error("nothing was found, and nobody was told")
	}
}
