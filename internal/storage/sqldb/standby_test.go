package sqldb_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"parley/internal/storage/sqldb"
	"parley/internal/testkit/pgtest"
)

// While its synchronous standby is away PostgreSQL has committed by itself and waits; statement_timeout does not end that
// with a success.
func TestATransactionThatItsStandbyHasNotConfirmedIsNotTakenForCommitted(t *testing.T) {
	primary := pgtest.Durable(t)
	url := primary.URL(t)
	standby := primary.Standby(t)
	db, err := sqldb.Postgres(url, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	write := func() error {
		return db.Tx(sqldb.Patient(t.Context(), 2*time.Second), nil, func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = 300`); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `COMMENT ON DATABASE postgres IS 'changed'`)
			return err
		})
	}
	if err := write(); err != nil {
		t.Fatalf("with the standby: %v", err)
	}
	standby.Stop()
	if err := write(); err == nil {
		t.Error("committed without the standby")
	}
}
