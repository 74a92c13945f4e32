package store_test

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// announced announces a server with some storage keys.
func announced(t *testing.T, s *store.Store, id string, keys ...string) store.Node {
	t.Helper()
	n := store.Node{ID: id, Name: "host/" + id, Role: "all", StorageKeys: keys, Blobs: "folder a"}
	if _, err := s.Announce(t.Context(), n, false); err != nil {
		t.Fatal(err)
	}
	return n
}

// names returns the names of the running servers.
func names(t *testing.T, s *store.Store) string {
	t.Helper()
	var all []string
	storetest.Update(t, s, func(tx *store.Tx) error {
		nodes, err := tx.Nodes()
		all = nil
		for _, n := range nodes {
			all = append(all, n.Name+" "+strings.Join(n.StorageKeys, ","))
		}
		return err
	})
	return strings.Join(all, "; ")
}

func TestServersAreKnownUntilTheyEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		one := announced(t, s, "1", "x", "y")
		announced(t, s, "2")
		if got := names(t, s); got != "host/1 x,y; host/2 " {
			t.Errorf("running: %s", got)
		}
		if err := s.Depart(t.Context(), "2"); err != nil {
			t.Fatal(err)
		}
		if err := s.Renew(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		if got := names(t, s); got != "host/1 x,y" {
			t.Errorf("after the end of one: %s", got)
		}
		if err := s.Exec(t.Context(), `UPDATE node SET seen = $1`,
			time.Now().Add(-store.NodeLife-time.Second).UnixMicro()); err != nil {
			t.Fatal(err)
		}
		if got := names(t, s); got != "" {
			t.Errorf("a minute after it died: %s", got)
		}
		if err := s.Renew(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		if got := names(t, s); got != "host/1 x,y" {
			t.Errorf("it was only held up: %s", got)
		}
		if _, err := s.Announce(t.Context(), store.Node{ID: "3", Name: "host/3", Role: "all"}, true); err != nil {
			t.Fatal(err)
		}
		if got := names(t, s); got != "host/3 " {
			t.Errorf("the only worker: %s", got)
		}
	})
}

func TestServersThatKeepRecordingsElsewhereAreRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		announced(t, s, "1")
		_, err := s.Announce(t.Context(), store.Node{ID: "2", Name: "host/2", Blobs: "folder b"}, false)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "host/1") ||
			!strings.Contains(err.Error(), "--blobs") || !strings.Contains(err.Error(), "--shared-blobs") {
			t.Errorf("another folder: %v", err)
		}
		if got := names(t, s); got != "host/1 " {
			t.Errorf("running: %s", got)
		}
	})
}

func TestRewrappingIsRefusedWhileAServerLacksTheNewKey(t *testing.T) {
	eachURL(t, func(t *testing.T, url string) {
		first, second := cipher.NewStorageKey(), cipher.NewStorageKey()
		old, both := ringOf(t, first), ringOf(t, second, first)
		s := with(t, url, old)
		keep(t, s, storetest.Account(t, s, "a").ID, 3, cipher.NewKey())
		announced(t, s, "old", old.IDs()...)
		announced(t, s, "new", both.IDs()...)
		_, err := with(t, url, both).Rewrap(t.Context())
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "host/old") ||
			!strings.Contains(err.Error(), both.IDs()[0]) {
			t.Errorf("beside a server without the key: %v", err)
		}
		if got := kept(t, s); !maps.Equal(got, map[string]int64{old.IDs()[0]: 6}) {
			t.Errorf("kept %v", got)
		}
		if err := s.Depart(t.Context(), "old"); err != nil {
			t.Fatal(err)
		}
		if n, err := with(t, url, both).Rewrap(t.Context()); err != nil || n != 6 {
			t.Errorf("after it has ended: %d, %v", n, err)
		}
	})
}

func TestAMissingStorageKeyIsNoticedOnceItIsInUse(t *testing.T) {
	eachURL(t, func(t *testing.T, url string) {
		first, second := cipher.NewStorageKey(), cipher.NewStorageKey()
		old, both := with(t, url, ringOf(t, first)), with(t, url, ringOf(t, second, first))
		claim := func(s *store.Store) {
			t.Helper()
			if err := s.ClaimStorageKeys(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		claim(old)
		a := storetest.Account(t, old, "a").ID
		keep(t, old, a, 1, cipher.NewKey())
		claim(both)
		if err := old.CheckStorageKeys(t.Context()); err != nil {
			t.Errorf("nothing is kept under the new key yet: %v", err)
		}
		keep(t, both, a, 1, cipher.NewKey())
		if err := both.CheckStorageKeys(t.Context()); err != nil {
			t.Errorf("with both keys: %v", err)
		}
		for _, s := range []*store.Store{old, with(t, url, nil)} {
			if err := s.CheckStorageKeys(t.Context()); !fault.Is(err, fault.Conflict) ||
				!strings.Contains(err.Error(), "--storage-key-file") {
				t.Errorf("without a key that is in use: %v", err)
			}
		}
	})
}

func TestADatabaseThatIsNotThereIsNotMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "parley.db")
	for _, url := range []string{"sqlite://" + file, pgtest.URL(t)} {
		if _, err := store.OpenExisting(t.Context(), store.Config{URL: url}); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if found, err := filepath.Glob(filepath.Dir(file) + "*"); err != nil || len(found) != 0 {
		t.Errorf("it has made %v (%v)", found, err)
	}
	eachURL(t, func(t *testing.T, url string) {
		s, err := store.OpenExisting(context.WithoutCancel(t.Context()), store.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	})
}
