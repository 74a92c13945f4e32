package mapped

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func written(t *testing.T, text string) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestAFileStaysReadableWhenItIsClosedAndRemoved(t *testing.T) {
	f := written(t, "hello")
	file, err := Open(f, 5)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	os.Remove(f.Name())
	if string(file.Data()) != "hello" {
		t.Errorf("%q", file.Data())
	}
	runtime.KeepAlive(file)
	empty, err := Open(written(t, ""), 0)
	if err != nil || len(empty.Data()) != 0 {
		t.Errorf("an empty file: %v", err)
	}
}

func TestAFileOfAnotherSizeIsNotMapped(t *testing.T) {
	for _, size := range []int64{0, 4, 6} {
		if _, err := Open(written(t, "hello"), size); !errors.Is(err, ErrSize) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	f := written(t, "hello")
	f.Close()
	if _, err := Open(f, 5); err == nil {
		t.Error("a closed file is mapped")
	}
}

// The number of mappings is bounded, and those that nobody uses make room.
func TestMappingsAreBoundedAndReleased(t *testing.T) {
	f := written(t, "hello")
	var files []*File
	for {
		file, err := Open(f, 5)
		if errors.Is(err, ErrMany) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) < most/2 || len(files) > most {
		t.Errorf("%d files were mapped", len(files))
	}
	for _, file := range files {
		if !bytes.Equal(file.Data(), []byte("hello")) {
			t.Fatal("a mapping has other bytes")
		}
	}
	files = nil
	for released := false; !released; { // cleanups run some time after a collection
		runtime.GC()
		_, err := Open(f, 5)
		if released = err == nil; released || !errors.Is(err, ErrMany) {
			continue
		}
		select {
		case <-t.Context().Done():
			t.Fatal("files that nobody uses stay mapped")
		case <-time.After(time.Millisecond):
		}
	}
}
