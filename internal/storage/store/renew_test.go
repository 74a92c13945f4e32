package store_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/cipher"
	"parley/internal/words/media"
)

// destroyed seals and deletes most of many items in random order, while others are added. It returns the data keys of
// those and, by item, the keys of the remaining ones.
func destroyed(t *testing.T, s *store.Store) (gone []cipher.Key, waiting map[media.ID]cipher.Key) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	owner := storetest.Account(t, s, "a").ID
	waiting = map[media.ID]cipher.Key{}
	var ids []media.ID
	for range 40 {
		storetest.Update(t, s, func(tx *store.Tx) error {
			for range 20 {
				m, err := tx.InsertMedia(media.Media{Account: owner, Status: media.Running,
					Sealing: &media.Sealing{PublicKeyID: "k", PublicKeyHash: "h"}}, []byte("c"), nil)
				if err != nil {
					return err
				}
				if waiting[m.ID], err = tx.DataKey(m.ID); err != nil {
					return err
				}
				ids = append(ids, m.ID)
			}
			return nil
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			for range 19 {
				at := random.IntN(len(ids))
				id := ids[at]
				ids = append(ids[:at], ids[at+1:]...)
				gone = append(gone, waiting[id])
				delete(waiting, id)
				var err error
				if random.IntN(4) == 0 {
					_, err = tx.DeleteMedia(owner, id)
				} else {
					_, err = tx.Seal(id, []byte("document"))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return gone, waiting
}

// stand counts how many of some keys occur in some bytes.
func stand(keys []cipher.Key, content []byte) (n int) {
	for _, k := range keys {
		if bytes.Contains(content, []byte(k)) {
			n++
		}
	}
	return n
}

// usable checks that items can still be read with their keys.
func usable(t *testing.T, s *store.Store, waiting map[media.ID]cipher.Key) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		for id, want := range waiting {
			if got, err := tx.DataKey(id); err != nil || got != want {
				t.Errorf("%s has another key, %v", id, err)
			}
		}
		return nil
	})
}

// TestNothingOfADataKeyIsInAFileOfTheDatabaseOnceItIsDestroyed searches every byte of SQLite's files.
func TestNothingOfADataKeyIsInAFileOfTheDatabaseOnceItIsDestroyed(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, "sqlite://"+filepath.Join(dir, "parley.db"))
	gone, waiting := destroyed(t, s)
	count := func() (destroyed, live int) {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		var alive []cipher.Key
		for _, k := range waiting {
			alive = append(alive, k)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			destroyed, live = destroyed+stand(gone, content), live+stand(alive, content)
		}
		return destroyed, live
	}
	before, _ := count()
	if before == 0 {
		t.Fatal("the log of changes has none of them: the test shows nothing")
	}
	if err := s.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	between, _ := count()
	t.Logf("of %d destroyed keys %d stand in the files before, %d when the log is emptied", len(gone), before, between)
	if err := s.ScrubKeys(t.Context(), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if after, live := count(); after != 0 || live != len(waiting) {
		t.Errorf("%d destroyed keys are there still, and %d of %d that are needed", after, live, len(waiting))
	}
	usable(t, s, waiting)
}

// TestNothingOfADataKeyIsInATableOfPostgreSQLOnceItIsDestroyed searches all files except the write-ahead log, which the
// server recycles later.
func TestNothingOfADataKeyIsInATableOfPostgreSQLOnceItIsDestroyed(t *testing.T) {
	server := pgtest.Start(t)
	s := storetest.Open(t, server.URL(t))
	gone, waiting := destroyed(t, s)
	tables := func(k cipher.Key) (n int) {
		for _, name := range server.Holding(t, string(k)) {
			if !strings.HasPrefix(name, "pg_wal/") {
				n++
			}
		}
		return n
	}
	if tables(gone[0])+tables(gone[len(gone)-1]) == 0 {
		t.Fatal("no table has them before: the test shows nothing")
	}
	if err := s.ScrubKeys(t.Context(), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, len(gone) / 2, len(gone) - 1} {
		if tables(gone[i]) != 0 {
			t.Errorf("destroyed key %d is in a table still", i)
		}
	}
	usable(t, s, waiting)
}

// A stream's key is useless without the data key of its item, even to someone who has the row.
func TestKeysOfStreamsGoWithTheDataKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := sealed(t, s)
		key := cipher.NewKey()
		streams := []media.Stream{{Name: media.Original, Blob: "original/y", Size: 1, Key: key},
			{Name: media.OriginalEncrypted, Blob: "original-encrypted/y", Size: 1, Key: key}}
		storetest.Update(t, s, func(tx *store.Tx) error {
			for _, stream := range streams {
				if _, err := tx.PutStream(m.ID, stream); err != nil {
					return err
				}
			}
			return nil
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			got, err := tx.Kept(m.ID)
			equal(t, got, streams)
			if err != nil {
				return err
			}
			one, err := tx.Stream(m.Account, m.ID, media.Original)
			equal(t, one, streams[0])
			return err
		})
		if n := bytes.Count(dump(t, s), []byte(key)); n != 1 {
			t.Errorf("%d rows have the key as it is, want that of the encrypted stream alone", n)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			if _, err := tx.Seal(m.ID, []byte("document")); err != nil {
				return err
			}
			got, err := tx.Kept(m.ID)
			equal(t, got, streams[1:])
			return err
		})
	})
}
