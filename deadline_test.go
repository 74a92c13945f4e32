package parley_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryCallOfADatabaseHasADeadline checks that connections are made in package sqldb alone, which gives each call a
// deadline, and that statements of a transaction run under a context. The comparison with other engines connects to these
// directly.
func TestEveryCallOfADatabaseHasADeadline(t *testing.T) {
	looked := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(file, filepath.Join("internal", "testkit")) ||
			file == filepath.Join("internal", "lab", "compare")) {
			return errorOrSkip(err)
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			filepath.Dir(file) == filepath.Join("internal", "storage", "sqldb") {
			return nil
		}
		looked++
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		migrator := file == filepath.Join("internal", "storage", "store", "migrate.go")
		for _, problem := range withoutDeadline(parsed, migrator) {
			t.Errorf("%s: %s", file, problem)
		}
		return nil
	})
	if err != nil || looked < 500 {
		t.Errorf("%d files (%v)", looked, err)
	}
}

func errorOrSkip(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

func TestCallsOfADatabaseWithoutADeadlineAreFound(t *testing.T) {
	for text, want := range map[string]int{
		`import "database/sql"; func f() { sql.Open("pgx", "") }`:                                            1,
		`import "database/sql"; type t struct{ db *sql.DB }`:                                                 1,
		`import "github.com/jackc/pgx/v5/stdlib"`:                                                            1,
		`import "github.com/jackc/pgx/v5/pgconn"`:                                                            0,
		`import "database/sql"; func f(tx *sql.Tx) { tx.Exec("") }`:                                          1,
		`import "database/sql"; func f(tx *sql.Tx) { tx.QueryContext(context.Background(), "") }`:            1,
		`import "database/sql"; func f(tx *sql.Tx) { tx.QueryContext(context.WithoutCancel(ctx), "") }`:      1,
		`import "database/sql"; func f(ctx context.Context, tx *sql.Tx) { tx.QueryRowContext(ctx, "x", 1) }`: 0,
		`import "parley/internal/storage/sqldb"; func f(db *sqldb.DB) { db.Pool().Exec("") }`:                1,
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutDeadline(parsed, false); len(got) != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// withoutDeadline returns what a file does with a database outside package sqldb that may take for ever. A migrator may
// hand its pool to a library.
func withoutDeadline(file *ast.File, migrator bool) (problems []string) {
	named := map[string]bool{}
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if path == "github.com/jackc/pgx/v5" || path == "github.com/jackc/pgx/v5/stdlib" ||
			strings.HasPrefix(path, "github.com/jackc/pgx/v5/pgxpool") {
			problems = append(problems, "it imports "+path+"; connect with package sqldb")
		}
		named[path] = true
	}
	transactions := false
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := s.X.(*ast.Ident)
		switch {
		case of != nil && of.Name == "sql" && named["database/sql"]:
			transactions = transactions || s.Sel.Name == "Tx"
			if !migrator && slices.Contains([]string{"DB", "Conn", "Open", "OpenDB"}, s.Sel.Name) {
				problems = append(problems, "it names sql."+s.Sel.Name+"; use package sqldb, whose calls have deadlines")
			}
		case s.Sel.Name == "Pool" && named["parley/internal/storage/sqldb"] && !migrator:
			problems = append(problems, "it takes the pool out of a sqldb.DB")
		}
		return true
	})
	if transactions {
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				problems = append(problems, statementWithout(c)...)
			}
			return true
		})
	}
	return problems
}

// statementWithout checks the call of a statement in a file that has transactions.
func statementWithout(c *ast.CallExpr) []string {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	of := fmt.Sprint(s.X)
	if selector, ok := s.X.(*ast.SelectorExpr); ok {
		of = selector.Sel.Name
	}
	switch s.Sel.Name {
	case "Exec", "Query", "QueryRow", "Prepare":
		if of == "tx" || of == "t" || of == "sql" || of == "stmt" {
			return []string{of + "." + s.Sel.Name + " takes no context; call " + s.Sel.Name +
				"Context with that of the transaction"}
		}
	case "ExecContext", "QueryContext", "QueryRowContext", "PrepareContext":
		if from, ok := c.Args[0].(*ast.CallExpr); ok {
			return []string{of + "." + s.Sel.Name + " has a context of its own: " + fmt.Sprint(from.Fun) +
				"; pass that of the transaction"}
		}
	}
	return nil
}
