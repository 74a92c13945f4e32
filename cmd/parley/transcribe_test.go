package main

import (
	"os"
	"path/filepath"
	"testing"

	"parley/internal/testkit/servertest"
)

func TestTranscribeReplacesNoFileUnlessItIsForced(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	wav := u.write("one/call.wav", servertest.Tone(0.6, 1))
	out := u.write("out/call.txt", []byte("typed by hand"))
	written := func() string {
		t.Helper()
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	dir := filepath.Dir(out)
	u.refused(1, "call.txt exists; give --force to replace it", "transcribe", wav, "--output", dir)
	if written() != "typed by hand" {
		t.Errorf("%q", written())
	}
	u.must("transcribe", wav, "--output", dir, "--force")
	if written() == "typed by hand" {
		t.Error("--force replaces nothing")
	}
}
