// Package verify separates the tests of make verify from those of make test, and reads golden files of stored formats.
package verify

import "testing"

// Long marks a test that takes long because it computes a lot or starts whole servers, and that has little concurrency
// for the race detector to check. make test skips it; make verify runs the marked tests, without the race detector.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long: make verify runs it")
	}
}
