package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
)

func TestTheFormerIndexIsRemovedWhenAServerStarts(t *testing.T) {
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
			if !left() {
				t.Fatal("there is none")
			}
			if err := s.Migrate(t.Context()); err != nil || left() {
				t.Errorf("it is left: %v, %v", left(), err)
			}
		})
	}
}
