package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/fault"
)

func TestAServerDeletesFilesThatBelongToNoRecordingOnceADay(t *testing.T) {
	var log strings.Builder
	gate := servertest.NewGate()
	gate.Open()
	s := servertest.Start(t, servertest.Options{Recognizer: gate, Log: &log,
		Settings: func(c *config.Settings) { c.OrphanDays = 7 }})
	for range 4 {
		s.Await(t, s.Submit(t, servertest.File("media", "tone.wav", servertest.Tone(1, 1))))
	}
	key := "original/" + uuid.NewString()
	if _, err := s.Server.Blobs.Put(t.Context(), key, strings.NewReader("bytes")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.Server.Settings.BlobDir(), key)
	there := func() bool { _, err := s.Server.Blobs.Stat(t.Context(), key); return !fault.Is(err, fault.NotFound) }
	collect := func() {
		t.Helper()
		if err := s.Server.CollectOrphans(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	collect()
	if !there() {
		t.Error("a young file is deleted")
	}
	week := time.Now().Add(-8 * 24 * time.Hour)
	err := filepath.WalkDir(s.Server.Settings.BlobDir(), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.Contains(path, filepath.Base(file)) && !d.IsDir() {
			err = os.Chtimes(path, week, week)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	collect()
	if there() {
		t.Error("an old file is there")
	}
	s.Stop()
	if !strings.Contains(log.String(), `"deleted stored files that belong to no recording"`) {
		t.Error("the log does not tell")
	}
}

func TestOneServerCollectsOfAllOnADatabase(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	due := func() bool {
		t.Helper()
		mine, err := s.Server.ClaimCollection(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return mine
	}
	if due() {
		t.Error("at the start")
	}
	past := []byte(time.Now().Add(-time.Minute).UTC().Format(time.RFC3339))
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.SetSetting("orphans.due", past) })
	if err != nil {
		t.Fatal(err)
	}
	if !due() || due() {
		t.Error("when it is due, not one alone")
	}
}
