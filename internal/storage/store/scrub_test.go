package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/media"
)

// TestNothingOfWhatWasReplacedIsInAFileOfTheDatabaseAfterScrubbing searches the bytes of all files for a text.
func TestNothingOfWhatWasReplacedIsInAFileOfTheDatabaseAfterScrubbing(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Config{URL: "sqlite://" + filepath.Join(dir, "parley.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	secret := []byte(strings.Repeat("four one one one ", 1000))
	m := storetest.Media(t, s, storetest.Account(t, s, "a").ID)
	storetest.Update(t, s, func(tx *store.Tx) error {
		if err := tx.PutArtifact(m.ID, media.StepRecognize, "k", secret); err != nil {
			return err
		}
		return tx.PutResult(m.ID, store.Result{Version: 1, Result: secret, Transcript: secret})
	})
	if n := holding(t, dir, secret[:100]); n == 0 {
		t.Fatal("the text is not there before")
	}
	storetest.Update(t, s, func(tx *store.Tx) error {
		if err := tx.DeleteArtifacts(m.ID); err != nil {
			return err
		}
		return tx.PutResult(m.ID, store.Result{Version: 1, Result: []byte("short")})
	})
	if err := s.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := holding(t, dir, []byte("one one")); n != 0 {
		t.Errorf("%d files still have the text", n)
	}
}

// holding counts the files that contain some bytes.
func holding(t *testing.T, dir string, text []byte) (n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(body, text) {
			n++
		}
	}
	return n
}
