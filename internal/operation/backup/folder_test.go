package backup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

func fill(t *testing.T, f *Folder) {
	t.Helper()
	for _, dir := range []string{"blobs", "more"} {
		if err := os.MkdirAll(filepath.Join(f.Dir, dir, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(f.Dir, "parley.db"), []byte("db"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range found {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestAFolderAppearsOnlyWhenItIsComplete(t *testing.T) {
	for name, make := range map[string]func(target string) error{
		"new":   func(string) error { return nil },
		"empty": func(target string) error { return os.MkdirAll(target, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			at := filepath.Join(parent, "sub", "data")
			if err := make(at); err != nil {
				t.Fatal(err)
			}
			f, err := NewFolder(at)
			if err != nil {
				t.Fatal(err)
			}
			fill(t, f)
			if _, err := os.Stat(filepath.Join(at, "parley.db")); err == nil {
				t.Error("the database is there before publication")
			}
			if err := f.Publish(); err != nil {
				t.Fatal(err)
			}
			f.Discard()
			if got := names(t, at); got != "blobs more parley.db" {
				t.Errorf("in the target: %s", got)
			}
			if got := names(t, filepath.Dir(at)); got != "data" {
				t.Errorf("beside the target: %s", got)
			}
		})
	}
}

func TestADiscardedFolderLeavesNothing(t *testing.T) {
	at := filepath.Join(t.TempDir(), "data")
	f, err := NewFolder(at)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, f)
	f.Discard()
	if got := names(t, filepath.Dir(at)); got != "" {
		t.Errorf("left: %s", got)
	}
}

func TestAFolderWithContentIsRefused(t *testing.T) {
	at := t.TempDir()
	if err := os.WriteFile(filepath.Join(at, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFolder(at); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "mine") {
		t.Error(err)
	}
	if got := names(t, at); got != "mine" {
		t.Errorf("left: %s", got)
	}
}

func TestContentThatCameMeanwhileIsLeftAlone(t *testing.T) {
	for _, exists := range []bool{false, true} {
		at := filepath.Join(t.TempDir(), "data")
		if exists {
			os.Mkdir(at, 0o700)
		}
		f, err := NewFolder(at)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, f)
		os.Mkdir(at, 0o700)
		if err := os.WriteFile(filepath.Join(at, "parley.db"), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Publish(); err == nil {
			t.Error("published over somebody's data")
		}
		f.Discard()
		if kept, err := os.ReadFile(filepath.Join(at, "parley.db")); string(kept) != "mine" {
			t.Errorf("the other database: %q, %v", kept, err)
		}
	}
}
