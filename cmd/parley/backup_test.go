package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/testkit/servertest"
)

func backupOf(dir, file string, force bool) *backupCommand {
	return &backupCommand{StorageFlags: config.StorageFlags{Data: dir}, File: file, Force: force}
}

// views are the answers about an item that customers can read, without signed URLs.
var views = []string{"/progress", "/transcript", "/transcript/text", "/transcript/srt", "/metadata"}

func TestARestoredServerServesEveryTranscriptAndOriginal(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	originals, before := map[string][]byte{}, map[string]string{}
	for i := range 3 {
		sound := servertest.Tone(float64(i)+1, 1)
		id := s.Submit(t, servertest.File("media", "call.wav", sound),
			servertest.Field("metadata", `{"externalId":"`+strings.Repeat("x", i+1)+`"}`))
		s.Await(t, id)
		originals[id] = sound
		for _, view := range views {
			before[id+view] = string(s.Get(t, "/v3/media/"+id+view).Body)
		}
	}
	file := filepath.Join(t.TempDir(), "parley.tar.zst")
	if err := backupOf(s.Dir, file, false).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Submit(t, servertest.File("media", "late.wav", servertest.Tone(1, 1)))
	dir := filepath.Join(t.TempDir(), "new", "data")
	if err := (&restoreCommand{File: file, Data: dir}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	token, err := os.ReadFile(filepath.Join(s.Dir, "test-token"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "test-token"), token, 0o600); err != nil {
		t.Fatal(err)
	}
	restored := servertest.Start(t, servertest.Options{Dir: dir})
	for id, sound := range originals {
		for _, view := range views {
			if got := string(restored.Get(t, "/v3/media/"+id+view).Body); got != before[id+view] {
				t.Errorf("%s of %s is\n%s\nand was\n%s", view, id, got, before[id+view])
			}
		}
		if got := restored.Get(t, "/v3/media/"+id+"/streams/original"); string(got.Body) != string(sound) {
			t.Errorf("the original of %s has %d bytes of %d: %v", id, len(got.Body), len(sound), got)
		}
	}
	if n := len(restored.Blobs(t)); n != 2*len(originals) { // each with its waveform
		t.Errorf("%d files of %d recordings in the restored server", n, len(originals))
	}
}

func TestABackupNeedsNoStorageKeyAndTheRestoredServerDoes(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys")
	if err := (&storageKeyMake{File: keys}).Run(); err != nil {
		t.Fatal(err)
	}
	keyed := func(c *config.Settings) { c.StorageKeyFile = keys }
	s := servertest.Start(t, servertest.Options{Settings: keyed})
	sound := servertest.Tone(1, 1)
	id := s.Submit(t, servertest.File("media", "call.wav", sound))
	s.Await(t, id)
	file, dir := filepath.Join(t.TempDir(), "parley.tar.zst"), filepath.Join(t.TempDir(), "data")
	if err := backupOf(s.Dir, file, false).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := (&restoreCommand{File: file, Data: dir}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Open(t.Context(),
		server.Config{Settings: servertest.Settings(dir), Log: slog.New(slog.DiscardHandler)}); err == nil ||
		!strings.Contains(err.Error(), "--storage-key-file") {
		t.Errorf("without the key file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "test-token"), []byte(s.Token), 0o600); err != nil {
		t.Fatal(err)
	}
	restored := servertest.Start(t, servertest.Options{Dir: dir, Settings: keyed})
	if got := restored.Get(t, "/v3/media/"+id+"/streams/original"); string(got.Body) != string(sound) {
		t.Errorf("the original has %d bytes of %d: %v", len(got.Body), len(sound), got)
	}
}

func TestABackupNeverOverwritesWithoutForce(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	dir := t.TempDir()
	file := filepath.Join(dir, "parley.tar.zst")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := backupOf(s.Dir, file, false).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("got %v", err)
	}
	if kept, _ := os.ReadFile(file); string(kept) != "precious" {
		t.Errorf("the file is now %q", kept)
	}
	if err := backupOf(s.Dir, file, true).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() < 1000 {
		t.Errorf("the backup: %v, %v", info, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestABackupWithoutADatabaseMakesNone(t *testing.T) {
	dir := t.TempDir()
	err := backupOf(dir, filepath.Join(t.TempDir(), "file"), false).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no database") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestABackupOfPostgreSQLSaysWhatToDoInstead(t *testing.T) {
	c := backupOf(t.TempDir(), filepath.Join(t.TempDir(), "file"), false)
	c.Database = "postgres://user:secret@127.0.0.1:1/parley"
	err := c.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "pg_dump") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestAFailedRestoreLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "backup")
	if err := os.WriteFile(file, []byte("no backup at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&restoreCommand{File: file, Data: filepath.Join(dir, "data")}).Run(t.Context()); err == nil {
		t.Error("restored from nothing")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestSizesAreShortAndRoundedRightly(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1 kB", 1499: "1.5 kB", 999_400: "999 kB", 999_600: "1 MB", 58_680_000: "58.7 MB",
		1 << 40: "1.1 TB",
	} {
		if got := bytesText(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
