package store_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"parley/internal/storage/job"
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
			_, err = s.Schema(t.Context())
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

// later returns the schema of a database to which a later program has added a migration.
func later(t *testing.T, s *store.Store) store.Schema {
	t.Helper()
	before, err := s.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%04d_later.sql", before.Known+1)
	if err := s.MigrateAs(t.Context(), name, `CREATE TABLE later (id BIGINT);`); err != nil {
		t.Fatal(err)
	}
	after, err := s.Schema(t.Context())
	if err != nil || after.Version != before.Known+1 || after.Known != before.Known {
		t.Fatalf("%+v (%v)", after, err)
	}
	return after
}

func TestAProgramWorksOnTablesThatALaterMigrationOnlyExpanded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		later(t, s)
		for what, err := range map[string]error{
			"a start": s.Migrate(t.Context()), "the check": s.CheckSchema(t.Context()), "an update": s.Ping(t.Context()),
		} {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestAProgramLeavesTablesAloneThatItCannotUse(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		schema := later(t, s)
		if err := s.SetNeeds(t.Context(), schema.Version); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(t.Context()); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "newer program") {
			t.Errorf("a start: %v", err)
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("before anybody has looked: %v", err)
		}
		_, claim := s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 1})
		if claim != nil {
			t.Errorf("a claim before anybody has looked: %v", claim)
		}
		check := s.CheckSchema(t.Context())
		_, claim = s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{"k"}, Most: 1})
		for what, err := range map[string]error{
			"the check": check, "an update": s.Ping(t.Context()), "a claim": claim,
			"a view": s.View(t.Context(), func(*store.Tx) error { return nil }),
		} {
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "newer program") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if err := s.SetNeeds(t.Context(), schema.Known); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.CheckSchema(t.Context()), s.Ping(t.Context())); err != nil {
			t.Errorf("once it can use them again: %v", err)
		}
	})
}

func TestAColumnThatALaterMigrationTookAwayMakesAStatementUnavailable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		missing := func() error { return s.Exec(t.Context(), `UPDATE setting SET gone = 1`) }
		if err := missing(); !fault.Is(err, fault.Internal) {
			t.Errorf("on tables that the program can use: %v", err)
		}
		schema := later(t, s)
		if err := s.SetNeeds(t.Context(), schema.Version); err != nil {
			t.Fatal(err)
		}
		if err := missing(); !fault.Is(err, fault.Unavailable) {
			t.Errorf("on tables that it cannot use: %v", err)
		}
		if err := s.Ping(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("what follows: %v", err)
		}
	})
}

func TestAMigrationThatTakesSomethingAwayWaitsForServersThatUseIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		schema, err := s.Schema(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%04d_later.sql", schema.Known+1)
		contract := func(needs int64) error {
			return s.MigrateAs(t.Context(), name, fmt.Sprintf("UPDATE schema_needs SET version = %d;\n", needs))
		}
		if _, err := s.Announce(t.Context(), store.Node{ID: "1", Name: "north"}, false); err != nil {
			t.Fatal(err)
		}
		err = contract(schema.Known + 1)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "server north") {
			t.Errorf("beside a server that uses it: %v", err)
		}
		if now, err := s.Schema(t.Context()); err != nil || now != schema {
			t.Errorf("the schema is %+v (%v)", now, err)
		}
		if err := s.Depart(t.Context(), "1"); err != nil {
			t.Fatal(err)
		}
		if err := contract(schema.Known + 1); err != nil {
			t.Errorf("without that server: %v", err)
		}
	})
}

func TestMigrationsThatTakeSomethingAwaySayWhoCanUseTheTables(t *testing.T) {
	away := regexp.MustCompile(`(?i)\b(DROP|RENAME|TRUNCATE|SET NOT NULL|ALTER COLUMN)\b`)
	demanding := regexp.MustCompile(`(?i)ADD COLUMN [^;]*NOT NULL[^;]*;`) // rows of older programs lack the column
	for version, text := range store.MigrationTexts() {
		if version <= 3 { // servers of two versions side by side are supported from version 3 on
			continue
		}
		for _, column := range demanding.FindAllString(text, -1) {
			if !strings.Contains(column, "DEFAULT") {
				t.Errorf("migration %d: %s older programs write rows without it; give it a DEFAULT", version, column)
			}
		}
		switch needs := store.NeedsAfter(text); {
		case needs == 0 && away.MatchString(text):
			t.Errorf("migration %d takes something away; say from which version on programs do not use it, "+
				"in a line UPDATE schema_needs SET version = N;", version)
		case needs >= version:
			t.Errorf("migration %d needs programs for version %d: none that runs beside it can use its tables; expand "+
				"first, and take away in a later migration", version, needs)
		}
	}
	if !away.MatchString(store.MigrationTexts()[2]) || store.NeedsAfter("x\nUPDATE schema_needs SET version = 7;\n") != 7 {
		t.Error("migrations that take something away are not recognised")
	}
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
