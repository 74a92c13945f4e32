package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
)

// arguments are the arguments of commands that need some.
var arguments = map[string][]string{
	"account delete":    {"x", "--yes"},
	"account limit":     {"x", "--rate", "1"},
	"account set":       {"x", "compat.scoreAsNumber=true"},
	"account retention": {"x"},
	"backup":            {"/dev/null/none"},
}

// TestNoCommandMakesADatabase runs every command that takes the location of a database with locations that have none.
func TestNoCommandMakesADatabase(t *testing.T) {
	postgres := pgtest.URL(t)
	names := leaves(t)
	if len(names) < 15 {
		t.Fatalf("only %d commands: %v", len(names), names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "none")
			if err := command(t, name, "--data", dir).Run(); err == nil ||
				!strings.Contains(err.Error(), "no database in "+dir) || !strings.Contains(err.Error(), "--data") {
				t.Errorf("without a folder: %v", err)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("the folder is there now (%v)", err)
			}
			if name == "backup" {
				return
			}
			if err := command(t, name, "--data", dir, "--database", postgres).Run(); err == nil ||
				!strings.Contains(err.Error(), "no tables of parley") {
				t.Errorf("PostgreSQL without tables: %v", err)
			}
		})
	}
	s, err := store.Open(t.Context(), store.Config{URL: postgres})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if made, err := s.Made(t.Context()); err != nil || made {
		t.Errorf("PostgreSQL has tables now (%v)", err)
	}
}

func TestMigrateMakesADatabaseWhereThatIsAskedFor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, args := range [][]string{{"--create"}, {}} {
		if err := command(t, "migrate", append(args, "--data", dir)...).Run(); err != nil {
			t.Errorf("migrate %v: %v", args, err)
		}
	}
}

// TestDataOfBeforeTheFirstVersionEndsCommandsAndStarts has a SQLite file and a PostgreSQL database with tables from
// before the first version.
func TestDataOfBeforeTheFirstVersionEndsCommandsAndStarts(t *testing.T) {
	u := newUser(t)
	dir := filepath.Join(u.home, "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	storetest.Unversioned(t, "sqlite://"+filepath.Join(dir, "parley.db"))
	postgres := pgtest.URL(t)
	storetest.Unversioned(t, postgres)
	const words = "data from before version 1 cannot be read; start with a new data directory or an empty database"
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"migrate"}, {"account", "list"}} {
		u.refused(1, words, append(args, "--data", "data")...)
		u.refused(1, words, append(args, "--data", "other", "--database", postgres)...)
	}
}

// exempt reports whether a command creates a database intentionally, examines places without one, or uses none.
func exempt(name string) bool {
	return slices.Contains([]string{"serve", "demo", "doctor"}, name) || strings.HasPrefix(name, "models ") ||
		strings.HasPrefix(name, "bench ")
}

func parser(t *testing.T) *kong.Kong {
	t.Helper()
	p, err := kong.New(new(cli), offers, kong.Name("parley"), kong.BindTo(t.Context(), (*context.Context)(nil)),
		kong.Exit(func(int) { t.Fatal("exit") }))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// leaves returns the commands that take the location of a database.
func leaves(t *testing.T) (names []string) {
	for _, leaf := range parser(t).Model.Leaves(true) {
		name := strings.TrimPrefix(leaf.FullPath(), "parley ")
		for _, flags := range leaf.AllFlags(false) {
			if slices.ContainsFunc(flags, func(f *kong.Flag) bool { return f.Name == "database" }) && !exempt(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func command(t *testing.T, name string, flags ...string) *kong.Context {
	t.Helper()
	p := parser(t)
	args := append(strings.Fields(name), arguments[name]...)
	if arguments[name] == nil {
		for _, leaf := range p.Model.Leaves(true) {
			if strings.TrimPrefix(leaf.FullPath(), "parley ") == name {
				for range leaf.Positional {
					args = append(args, "x")
				}
			}
		}
	}
	c, err := p.Parse(append(args, flags...))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}
