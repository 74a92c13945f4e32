package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/flite"
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

func TestAProgramOfOnesOwnTranscribesAndIsMeasuredWithoutAServer(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	wav := u.write("one/call.wav", flite.File(t, "slt", "Good morning."))
	u.write("one/call.txt", []byte("echo"))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := self + " recogniser"
	if heard := u.must("transcribe", wav, "--no-punctuation", "--engine-program", program); heard != "echo\n" {
		t.Errorf("heard %q", heard)
	}
	table := u.must("eval", "wer", "--data", filepath.Dir(wav), "--engine-program", program)
	if all := strings.Fields(table[strings.LastIndex(table, " all "):]); all[1] != "1" || all[5] != "0.0" {
		t.Errorf("want one word without errors, measured\n%s", table)
	}
	u.refused(1, "name two engines", "transcribe", wav, "--engine-program", program, "--model", "pocketsphinx")
	u.refused(1, "name a program", "transcribe", wav, "--engine-program", " ")
	u.refused(1, filepath.Join(u.home, "none"), "transcribe", wav, "--engine-program", filepath.Join(u.home, "none"))
}
