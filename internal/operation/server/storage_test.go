package server

import (
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
	if _, err := lockDir(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "another server uses") {
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
