package store

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
)

// TestKeptStatementsAnswerAsNewOnesWould runs a statement while its own rows are being read, uses more texts than are
// cached, and changes the schema under a cached statement.
func TestKeptStatementsAnswerAsNewOnesWould(t *testing.T) {
	db, err := connect(filepath.Join(t.TempDir(), "t.db"), 1, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Pool().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), (3)`); err != nil {
		t.Fatal(err)
	}
	const all = `SELECT n FROM t WHERE n >= $1 ORDER BY n`
	if got := fmt.Sprint(numbers(t, tx, all, 1, func(n int) []int {
		return numbers(t, tx, all, n, nil)
	})); got != "[1 1 2 3 2 2 3 3 3]" {
		t.Errorf("rows inside of rows: %s", got)
	}
	for n := range 2*mostStatements + 1 {
		text := fmt.Sprintf(`SELECT n + %d FROM t WHERE n = $1`, n%(mostStatements+1))
		if got := numbers(t, tx, text, 2, nil); len(got) != 1 || got[0] != 2+n%(mostStatements+1) {
			t.Fatalf("%s: %v", text, got)
		}
	}
	insert := func(n int) {
		t.Helper()
		if _, err := tx.Exec(`INSERT INTO t VALUES ($1)`, n); err != nil {
			t.Fatal(err)
		}
	}
	insert(4)
	if _, err := tx.Exec(`DROP TABLE t`); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Query(all, 1); err == nil {
		t.Error("a table that is gone is read")
	}
	if _, err := tx.Exec(`CREATE TABLE t (n INTEGER)`); err != nil {
		t.Fatal(err)
	}
	insert(7)
	if got := fmt.Sprint(numbers(t, tx, all, 1, nil)); got != "[7]" {
		t.Errorf("another table of the name: %s", got)
	}
}

// numbers returns the rows of a statement; if inside is set, each number is followed by the rows of inside.
func numbers(t *testing.T, tx *sql.Tx, text string, from int, inside func(n int) []int) (all []int) {
	t.Helper()
	rows, err := tx.Query(text, from)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
		if inside != nil {
			all = append(all, inside(n)...)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
