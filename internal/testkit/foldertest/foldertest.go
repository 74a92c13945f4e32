// Package foldertest looks at the files of a server that is at work: a file that vanishes meanwhile is not among them.
package foldertest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Each calls f with everything below a folder that is no folder. A file that is gone before it is listed, or for which f
// returns fs.ErrNotExist, is passed over; a folder that is not there at all is an error.
func Each(dir string, f func(path string, entry fs.DirEntry) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			err = f(path, entry)
		}
		if path != dir && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// Names returns the paths of the files below a folder.
func Names(t testing.TB, dir string) (names []string) {
	t.Helper()
	must(t, Each(dir, func(path string, _ fs.DirEntry) error {
		names = append(names, path)
		return nil
	}))
	return names
}

// Contents returns the regular files below a folder by their paths.
func Contents(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	contents := map[string][]byte{}
	must(t, Each(dir, func(path string, entry fs.DirEntry) error {
		if !entry.Type().IsRegular() {
			return nil
		}
		body, err := os.ReadFile(path)
		if err == nil {
			contents[path] = body
		}
		return err
	}))
	return contents
}

// Holding returns the paths of the files below a folder that contain a text.
func Holding(t testing.TB, dir string, text []byte) (names []string) {
	t.Helper()
	for path, body := range Contents(t, dir) {
		if bytes.Contains(body, text) {
			names = append(names, path)
		}
	}
	return names
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
