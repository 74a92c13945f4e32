package audio

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/fault"
)

// data returns the folder of real recordings.
func data(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PARLEY_DATA")
	if dir == "" {
		t.Skip("PARLEY_DATA is not set: it names the folder of real recordings that this test needs")
	}
	return dir
}

// decodeFile decodes as a server does: by content type, from the first bytes.
func decodeFile(t *testing.T, path string) (*Decoded, error) {
	t.Helper()
	head := make([]byte, 4096)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := f.Read(head)
	f.Close()
	d := &Decoder{Temp: t.TempDir()}
	return d.Decode(t.Context(), path, ContentType(head[:n], filepath.Base(path)))
}

func TestEveryFileDecodesOrFailsClearly(t *testing.T) {
	for _, dir := range []string{"audio", "bad_media"} {
		filepath.WalkDir(filepath.Join(data(t), dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				t.Fatal(err)
			}
			if e.IsDir() {
				return nil
			}
			t.Run(strings.TrimPrefix(path, data(t)), func(t *testing.T) { decodesOrFails(t, path) })
			return nil
		})
	}
}

func decodesOrFails(t *testing.T, path string) {
	start := time.Now()
	d, err := decodeFile(t, path)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
	if err != nil {
		t.Log(fault.ProblemsOf(err), err)
		return
	}
	t.Log(d.Length, d.Codec, d.Container, d.Channels, d.SourceRate, d.DualMono, d.Warnings)
	_ = context.Background
}
