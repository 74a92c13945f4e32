package store_test

import (
	"database/sql"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
)

// SQLite has one writer at a time, so that only PostgreSQL needs the lock.
func TestWhoCountsWhatAnAccountHasWaitsForWhoAddsToIt(t *testing.T) {
	url := pgtest.URL(t)
	s := storetest.Open(t, url)
	owner := storetest.Account(t, s, "owner").ID
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	counted, done := make(chan int, 1), make(chan error, 1)
	storetest.Update(t, s, func(tx *store.Tx) error {
		if err := tx.LockAccount(owner); err != nil {
			return err
		}
		go func() {
			done <- s.Update(t.Context(), func(tx *store.Tx) error {
				if err := tx.LockAccount(owner); err != nil {
					return err
				}
				keys, err := tx.PublicKeys(owner)
				counted <- len(keys)
				return err
			})
		}()
		for waiting := 0; waiting == 0; {
			select {
			case n := <-counted:
				t.Fatalf("%d were counted while one was added", n)
			default:
			}
			if err := db.QueryRow(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting); err != nil {
				return err
			}
		}
		return tx.AddPublicKey(owner, store.PublicKey{ID: "k", Content: []byte("x")})
	})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := <-counted; n != 1 {
		t.Errorf("%d were counted", n)
	}
}
