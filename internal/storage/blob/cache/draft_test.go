package cache

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAFullDiskDoesNotFailGets(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	link := filepath.Join(c.Dir, "full")
	c.create = func() (*os.File, error) {
		if err := os.Symlink("/dev/full", link); err != nil {
			return nil, err
		}
		return os.OpenFile(link, os.O_RDWR, 0)
	}
	f := get(t, c, "a")
	if get(t, c, "a") != f {
		t.Error("bytes in memory are not shared")
	}
	wantNames(t, c, "")
	if got := c.Stats(); got.Unwritten != 1 || got.Files != 0 {
		t.Errorf("%+v", got)
	}
}

func TestADiskThatFillsUpDuringADownloadKeepsWhatWasWritten(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	d := c.newDraft(100)
	d.Write([]byte("first "))
	file := d.file
	defer file.Close()
	readOnly, err := os.Open(file.Name()) // writing to it fails
	if err != nil {
		t.Fatal(err)
	}
	d.file = readOnly
	for _, text := range []string{"second ", "third"} {
		if n, err := d.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if string(d.memory) != "first second third" {
		t.Errorf("%q", d.memory)
	}
	wantNames(t, c, "")
}

func TestAnUnwritableFolderDoesNotFailGets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		c := open(t, Config{Blobs: numbered(), Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err := os.RemoveAll(c.Dir); err != nil { // root can write to all folders that exist
			t.Fatal(err)
		}
		messages := func(want int) {
			t.Helper()
			if got := strings.Count(log.String(), "could not be written"); got != want {
				t.Errorf("%d messages, want %d: %s", got, want, &log)
			}
		}
		get(t, c, "a")
		get(t, c, "b")
		messages(1)
		time.Sleep(time.Minute) // of the bubble's clock
		get(t, c, "c")
		messages(2)
		if got := c.Stats(); got.Unwritten != 3 || got.Files != 0 {
			t.Errorf("%+v", got)
		}
		if err := os.Mkdir(c.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		get(t, c, "d")
		wantNames(t, c, "d.blob")
	})
}

func TestAFailedRenameDoesNotFailGets(t *testing.T) {
	c := open(t, Config{Blobs: numbered()})
	if err := os.Mkdir(c.path("a"), 0o700); err != nil { // a file cannot replace a folder
		t.Fatal(err)
	}
	get(t, c, "a")
	wantNames(t, c, "a.blob")
	if got := c.Stats(); got.Unwritten != 1 || got.Files != 0 {
		t.Errorf("%+v", got)
	}
}
