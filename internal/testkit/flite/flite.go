// Package flite synthesises speech for tests with the program flite, which tests need installed.
package flite

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Rate is the number of samples per second of all voices.
const Rate = 16000

// header is the number of bytes before the samples in flite's WAV files.
const header = 44

// File returns a text as a voice says it, as a WAV file.
func File(t testing.TB, voice, text string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "speech.wav")
	if out, err := exec.Command("flite", "-voice", voice, "-t", text, "-o", name).CombinedOutput(); err != nil {
		t.Fatalf("flite (install the package flite): %v %s", err, out)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if rate := binary.LittleEndian.Uint32(file[24:]); rate != Rate {
		t.Fatalf("flite speaks at %d Hz", rate)
	}
	return file
}

// Say returns a text as a voice says it.
func Say(t testing.TB, voice, text string) []int16 {
	t.Helper()
	file := File(t, voice, text)[header:]
	samples := make([]int16, len(file)/2)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(file[2*i:]))
	}
	return samples
}
