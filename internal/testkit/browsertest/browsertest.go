// Package browsertest runs a headless Chromium in tests.
//
// It does not know what the pages are. PARLEY_BROWSER is the path of the browser.
package browsertest

import (
	"os"
	"testing"
	"time"
)

// Program returns the path of the browser. It skips the test if PARLEY_BROWSER is not set.
func Program(t testing.TB) string {
	t.Helper()
	program := os.Getenv("PARLEY_BROWSER")
	if program == "" {
		t.Skip("set PARLEY_BROWSER to the program of a Chromium for this test")
	}
	return program
}

// Flags returns the flags of a headless browser that makes no requests by itself, and its profile folder.
func Flags(t testing.TB) (flags []string, profile string) {
	t.Helper()
	profile = folder(t)
	return []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile,
	}, profile
}

// folder returns a folder that is removed when the browser's last process has released it, which may be a moment after
// the browser exits.
func folder(t testing.TB) string {
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
