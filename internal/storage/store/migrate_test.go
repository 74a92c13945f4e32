package store_test

import (
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
)

func TestADatabaseOfBeforeTheFirstVersionIsRefusedAndLeftAsItIs(t *testing.T) {
	for name, url := range map[string]string{"sqlite": storetest.SQLiteURL(t), "postgres": pgtest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			db := storetest.Unversioned(t, url)
			s, err := store.OpenExisting(t.Context(), store.Config{URL: url})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, _, err = s.Version(t.Context())
			for what, err := range map[string]error{"migrating": s.Migrate(t.Context()), "its version": err} {
				if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "start with a new data directory") {
					t.Errorf("%s: %v", what, err)
				}
			}
			columns, err := s.Columns(t.Context())
			if err != nil || len(columns) != 3+4+19 {
				t.Errorf("there are %d columns (%v)", len(columns), err)
			}
			var account string
			if err := db.QueryRow(`SELECT name FROM account`).Scan(&account); err != nil || account != "acme" {
				t.Errorf("account %q (%v)", account, err)
			}
		})
	}
}

func TestADatabaseOfANewerProgramIsRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		_, latest, err := s.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetMigration(t.Context(), latest+1, true); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(t.Context()); !fault.Is(err, fault.Conflict) ||
			!strings.Contains(err.Error(), "newer program") {
			t.Error(err)
		}
	})
}

func TestADatabaseThatLacksAMigrationIsNotTakenForUpToDate(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.SetMigration(t.Context(), 1, false); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(t.Context()); err == nil {
			t.Error("it is taken for up to date")
		}
	})
}
