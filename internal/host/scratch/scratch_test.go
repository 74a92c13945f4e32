package scratch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFoldersOfDeadProcessesGoAndThoseOfLivingStay(t *testing.T) {
	root := t.TempDir()
	dead := filepath.Join(root, "run-1")
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead, "original-1"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := Abandoned(root, false); !slices.Equal(found, []string{dead}) || err != nil {
		t.Fatalf("%q, %v", found, err)
	}
	living, err := New(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead process is left: %v", err)
	}
	file, err := living.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	other, err := New(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file.Name()); err != nil {
		t.Errorf("a file of a living process is gone: %v", err)
	}
	for _, f := range []*Folder{living, other} {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(root); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestARootThatIsNotThereHasNoFolders(t *testing.T) {
	if found, err := Abandoned(filepath.Join(t.TempDir(), "no"), true); found != nil || err != nil {
		t.Errorf("%q, %v", found, err)
	}
}
