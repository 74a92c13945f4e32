package store_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/foldertest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/cipher"
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
	if n := len(foldertest.Holding(t, dir, secret[:100])); n == 0 {
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
	if n := len(foldertest.Holding(t, dir, []byte("one one"))); n != 0 {
		t.Errorf("%d files still have the text", n)
	}
}

// A key that was destroyed is in no page of its table, on both databases.
func TestDestroyedKeysAreInNoTableAfterScrubbing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newShelved(t, db)
		s.published()
		words, values, newer := cipher.NewKey(), cipher.NewKey(), cipher.NewKey()
		c := built(s.state(), "one")
		c.Added[0].Words.Key, c.Added[0].Values.Key = words, values
		if _, err := s.change(c); err != nil {
			t.Fatal(err)
		}
		there := func(key cipher.Key) bool {
			t.Helper()
			pages, err := db.TablePages(t.Context(), "segment")
			if err != nil {
				t.Fatal(err)
			}
			return bytes.Contains(pages, []byte(key))
		}
		scrub := func() {
			t.Helper()
			if err := db.ScrubKeys(t.Context(), time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if scrub(); !there(words) || !there(values) {
			t.Fatal("the keys are not in the table")
		}
		if x := s.state(); len(x.Segments) != 1 || x.Segments[0].Words.Key != words || x.Segments[0].Values.Key != values {
			t.Fatalf("after scrubbing: %+v", x.Segments)
		}
		_, err := s.change(store.SegmentChange{Version: s.state().Version, Renewed: []store.Renewal{{Segment: "one",
			Values: store.SegmentFile{Blob: "segment/newer", Key: newer}}}})
		if err != nil {
			t.Fatal(err)
		}
		if scrub(); !there(words) || there(values) || !there(newer) {
			t.Errorf("values were renewed; words %v, former values %v, newer values %v", there(words), there(values), there(newer))
		}
		if _, err := s.change(store.SegmentChange{Version: s.state().Version, Removed: []string{"one"}}); err != nil {
			t.Fatal(err)
		}
		if scrub(); there(words) || there(newer) {
			t.Errorf("the segment was removed; words %v, values %v", there(words), there(newer))
		}
	})
}

// Purges that follow each other do not rewrite the tables each time.
func TestKeysThatWereScrubbedSinceAreNotScrubbedAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		destroyed := time.Now().Add(-time.Hour)
		if err := db.ScrubKeys(t.Context(), destroyed); err != nil {
			t.Fatal(err)
		}
		first := db.Renewed()
		if err := db.ScrubKeys(t.Context(), destroyed); err != nil || !db.Renewed().Equal(first) {
			t.Errorf("destroyed before: rewritten at %s, and at %s; %v", first, db.Renewed(), err)
		}
		if err := db.ScrubKeys(t.Context(), first); err != nil || !db.Renewed().After(first) {
			t.Errorf("destroyed since: rewritten at %s, and at %s; %v", first, db.Renewed(), err)
		}
	})
}
