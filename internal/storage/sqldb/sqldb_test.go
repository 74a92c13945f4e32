package sqldb_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/storage/sqldb"
	"parley/internal/testkit/pgtest"
	"parley/internal/words/fault"
)

// hanging is a database that answers nothing until the caller gives up.
type hanging struct {
	mu        sync.Mutex
	unlimited []string // calls without a deadline
	answers   bool     // of transactions' beginnings
}

func (h *hanging) wait(ctx context.Context, what string) error {
	if _, ok := ctx.Deadline(); !ok {
		h.mu.Lock()
		h.unlimited = append(h.unlimited, what)
		h.mu.Unlock()
		return errors.New("no deadline")
	}
	<-ctx.Done()
	return ctx.Err()
}

func (h *hanging) Connect(context.Context) (driver.Conn, error) { return h, nil }
func (h *hanging) Driver() driver.Driver                        { return nil }
func (h *hanging) Prepare(string) (driver.Stmt, error)          { return nil, errors.New("no context") }
func (h *hanging) Begin() (driver.Tx, error)                    { return nil, errors.New("no context") }
func (h *hanging) Close() error                                 { return nil }
func (h *hanging) Commit() error                                { return nil }
func (h *hanging) Rollback() error                              { return nil }
func (h *hanging) Ping(ctx context.Context) error               { return h.wait(ctx, "ping") }

func (h *hanging) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if h.answers {
		return h, nil
	}
	return nil, h.wait(ctx, "begin")
}

func (h *hanging) ExecContext(ctx context.Context, query string, _ []driver.NamedValue) (driver.Result, error) {
	return nil, h.wait(ctx, query)
}

func (h *hanging) QueryContext(ctx context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	return nil, h.wait(ctx, query)
}

func TestEveryCallIsMadeUnderADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		h := &hanging{}
		db := sqldb.SQLite(h, 8)
		defer db.Close()
		conn, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		nothing := func(context.Context, *sql.Tx) error { return nil }
		statement := func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "a statement of a transaction")
			return err
		}
		for what, call := range map[string]func(context.Context) error{
			"ping":                 db.Ping,
			"exec":                 func(ctx context.Context) error { return db.Exec(ctx, "exec") },
			"row":                  func(ctx context.Context) error { return db.Row(ctx, "row", nil) },
			"tx":                   func(ctx context.Context) error { return db.Tx(ctx, nil, nothing) },
			"begin":                func(ctx context.Context) error { _, _, _, err := db.Begin(ctx); return err },
			"exec of a connection": func(ctx context.Context) error { return conn.Exec(ctx, "exec") },
			"row of a connection":  func(ctx context.Context) error { return conn.Row(ctx, "row", nil) },
			"tx of a connection":   func(ctx context.Context) error { return conn.Tx(ctx, nil, nothing) },
			"statement": func(ctx context.Context) error {
				h.answers = true
				defer func() { h.answers = false }()
				return db.Tx(ctx, nil, statement)
			},
		} {
			for limit, ctx := range map[time.Duration]context.Context{
				sqldb.Deadline: ctx, time.Hour: sqldb.Patient(ctx, time.Hour),
			} {
				began := time.Now()
				if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != limit {
					t.Errorf("%s with %v: %v after %v", what, limit, err, time.Since(began))
				}
			}
		}
		if len(h.unlimited) > 0 {
			t.Errorf("without a deadline: %v", h.unlimited)
		}
	})
}

func TestTheCauseOfADeadlineIsThatTheDatabaseIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := sqldb.Limit(t.Context())
		defer cancel()
		<-ctx.Done()
		if !fault.Is(context.Cause(ctx), fault.Unavailable) {
			t.Errorf("%v", context.Cause(ctx))
		}
	})
}

func TestSessionsOfPostgreSQLHaveLimits(t *testing.T) {
	url := pgtest.URL(t)
	for _, c := range []struct {
		url  string
		ctx  context.Context
		want string
	}{
		{url, t.Context(), "20s 5s 5s"},
		{url, sqldb.Patient(t.Context(), time.Minute), "1min 5s 30s"},
		{url + "&lock_timeout=700&statement_timeout=0", t.Context(), "0 700ms 5s"},
	} {
		db, err := sqldb.Postgres(c.url, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var got []string
		err = db.Tx(c.ctx, nil, func(ctx context.Context, tx *sql.Tx) error {
			for _, name := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
				var value string
				if err := tx.QueryRowContext(ctx, `SHOW `+name).Scan(&value); err != nil {
					return err
				}
				got = append(got, value)
			}
			return nil
		})
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s (%v)", c.url, got, c.want, err)
		}
		var after string // of the session, once the transaction has ended
		if err := db.Row(t.Context(), `SHOW idle_in_transaction_session_timeout`, nil, &after); err != nil || after != "5s" {
			t.Errorf("%s: after the transaction %s (%v)", c.url, after, err)
		}
	}
}

// A server that became a standby still answers. Its connections must not be used again, so that those of the new primary
// are found.
func TestConnectionsToAServerThatBecameReadOnlyAreLeft(t *testing.T) {
	db, err := sqldb.Postgres(pgtest.URL(t), 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	backend := func() (pid int) {
		t.Helper()
		if err := db.Row(t.Context(), `SELECT pg_backend_pid()`, nil, &pid); err != nil {
			t.Fatal(err)
		}
		return pid
	}
	before := backend()
	if again := backend(); again != before {
		t.Fatalf("connection %d is not used again, but %d", before, again)
	}
	err = db.Tx(t.Context(), &sql.TxOptions{ReadOnly: true}, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `CREATE TABLE t (n BIGINT)`)
		return err
	})
	if err == nil {
		t.Fatal("a table is created in a read-only transaction")
	}
	if after := backend(); after == before {
		t.Errorf("connection %d is used again after %v", after, err)
	}
}

func ExampleDB_Tx() {
	var db *sqldb.DB // of sqldb.Postgres or sqldb.SQLite
	rename := func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE person SET name = $1 WHERE id = $2`, "Ada", 1)
		return err
	}
	if db != nil {
		fmt.Println(db.Tx(context.Background(), nil, rename))
	}
	fmt.Println(sqldb.Deadline)
	// Output: 20s
}
