// Package verify parts the tests that make verify runs from those of make test, and reads golden files of stored
// formats.
package verify

import "testing"

// Long marks a test that takes long because it computes much, or starts whole servers, and in which the race detector
// has little to watch. make test skips it; make verify runs the tests with this mark, without the race detector.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long: make verify runs it")
	}
}
