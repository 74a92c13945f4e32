package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/words/cipher"
)

// keysOf returns the ids of the keys in a file.
func keysOf(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cipher.ParseRing(text)
	if err != nil {
		t.Fatal(err)
	}
	return r.IDs()
}

func TestKeyFilesAreMadeOnceAndExtended(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := (&storageKeyMake{File: file}).Run(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	one := keysOf(t, file)
	if err := (&storageKeyMake{File: file}).Run(); err == nil || !strings.Contains(err.Error(), "--add") {
		t.Errorf("an existing file: %v", err)
	}
	if now := keysOf(t, file); !slices.Equal(now, one) {
		t.Errorf("it was changed: %v", now)
	}
	for _, place := range []string{"last", "first"} {
		if err := (&storageKeyMake{File: file, Add: place}).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if ids := keysOf(t, file); len(ids) != 3 || ids[1] != one[0] {
		t.Errorf("%v with %s first", ids, one[0])
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&storageKeyMake{File: file, Add: "last"}).Run(); err == nil {
		t.Error("a file of something else was extended")
	}
	if text, _ := os.ReadFile(file); string(text) != "no key" {
		t.Errorf("it is %q now", text)
	}
}
