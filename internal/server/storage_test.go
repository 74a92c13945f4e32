package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOneServerWorksOnADataDirectory(t *testing.T) {
	dir := t.TempDir()
	first, err := lockDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockDir(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "another server works on") {
		t.Errorf("a second server: %v", err)
	}
	first.Close()
	second, err := lockDir(t.Context(), dir)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	second.Close()
}

func TestAStartWaitsForTheLastRemnantsOfAKilledServer(t *testing.T) {
	dir := t.TempDir()
	remnant, err := lockDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(lockPatience/20, func() { remnant.Close() })
	next, err := lockDir(t.Context(), dir)
	if err != nil {
		t.Fatalf("the lock came free in time: %v", err)
	}
	next.Close()
}

func TestTemporaryFoldersOfDeadProcessesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	dead := filepath.Join(dir, "run-dead")
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lock", "original-1"} {
		if err := os.WriteFile(filepath.Join(dead, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	living, err := newTempDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead process is left: %v", err)
	}
	other, err := newTempDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(living.path); err != nil {
		t.Errorf("the folder of a living process is gone: %v", err)
	}
	for _, d := range []*tempDir{living, other} {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
