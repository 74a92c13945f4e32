package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
)

// pending counts the changes that wait for the index of servers of earlier versions.
func pending(t *testing.T, s *store.Store) int {
	t.Helper()
	counts, err := s.Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return counts["index_pending"]
}

// older makes all servers ones of an earlier version.
func older(t *testing.T, s *store.Store) {
	t.Helper()
	if err := s.Exec(t.Context(), `UPDATE node SET tables = 5`); err != nil {
		t.Fatal(err)
	}
}

func TestTheFormerIndexIsToldOfChangesWhileAServerHasIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		announced(t, s, "1")
		id := published(t, s, storetest.Media(t, s, a.ID), true)
		if n := pending(t, s); n != 0 {
			t.Errorf("%d changes wait for an index that no server has", n)
		}
		older(t, s)
		other := published(t, s, storetest.Media(t, s, a.ID), true)
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, id); return err })
		if n := pending(t, s); n != 2 {
			t.Errorf("%d of 2 changes wait: %s and %s", n, id, other)
		}
	})
}

func TestTheFormerIndexIsRemovedWhenNoServerHasIt(t *testing.T) {
	sqlite, postgres := storetest.SQLiteURL(t), pgtest.URL(t)
	for _, url := range []string{sqlite, postgres} {
		t.Run(strings.SplitN(url, ":", 2)[0], func(t *testing.T) {
			s := storetest.Open(t, url)
			file := strings.TrimSuffix(strings.TrimPrefix(url, "sqlite://"), ".db") + "-search-x.db"
			left := func() bool {
				if url == sqlite {
					files, err := filepath.Glob(file + "*")
					return err != nil || len(files) > 0
				}
				return s.Exec(t.Context(), `SELECT 1 FROM search_x_call`) == nil
			}
			if url == sqlite {
				for _, name := range []string{file, file + "-wal"} {
					if err := os.WriteFile(name, []byte("words"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			} else {
				for _, table := range []string{"call", "term", "posting"} {
					if err := s.Exec(t.Context(), `CREATE TABLE search_x_`+table+` (id BIGINT)`); err != nil {
						t.Fatal(err)
					}
				}
			}
			a := storetest.Account(t, s, "a")
			announced(t, s, "1")
			older(t, s)
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.SetSetting("search-index", []byte("{}")) })
			published(t, s, storetest.Media(t, s, a.ID), true)
			remove := func() {
				t.Helper()
				if err := s.RemoveFormerIndex(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if remove(); !left() || pending(t, s) != 1 {
				t.Error("it was removed from under a server that has it")
			}
			if err := s.Depart(t.Context(), "1"); err != nil {
				t.Fatal(err)
			}
			remove()
			if remove(); left() || pending(t, s) != 0 {
				t.Errorf("it is left: %v, %d changes", left(), pending(t, s))
			}
			storetest.Update(t, s, func(tx *store.Tx) error {
				if _, err := tx.Setting("search-index"); err == nil {
					t.Error("a server that starts again would take its index for whole")
				}
				return nil
			})
		})
	}
}
