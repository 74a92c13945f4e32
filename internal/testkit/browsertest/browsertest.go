// Package browsertest runs a headless Chromium in tests.
//
// It drives no pages; tests do. The browser is the program that PARLEY_BROWSER names.
package browsertest

import (
	"os"
	"testing"
	"time"
)

// Program returns the browser's program; the test is skipped where none is named.
func Program(t *testing.T) string {
	t.Helper()
	program := os.Getenv("PARLEY_BROWSER")
	if program == "" {
		t.Skip("set PARLEY_BROWSER to the program of a Chromium for this test")
	}
	return program
}

// Flags returns the flags of a browser without a window that calls no host by itself, and its profile folder.
func Flags(t *testing.T) (flags []string, profile string) {
	t.Helper()
	profile = folder(t)
	return []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile,
	}, profile
}

// folder returns a folder that is removed when the browser's last process has let go of it, which may be
// a moment after the browser has ended.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "parley-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for range 500 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			<-tick.C
		}
		t.Errorf("the browser's folder stays: %v", err)
	})
	return dir
}
