package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"parley/internal/storage/job"
	"parley/internal/words/fault"
)

// errBatch means that a shared commit failed because of another transaction in it.
var errBatch = errors.New("store: shared commit was rolled back")

// retryable reports whether the transaction may succeed when it is run again.
func retryable(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		// serialization failure, deadlock, a pause between two statements that was too long
		return e.Code == "40001" || e.Code == "40P01" || e.Code == "25P03"
	}
	return primary(err) == sqlite3.SQLITE_BUSY || primary(err) == sqlite3.SQLITE_LOCKED || errors.Is(err, errBatch)
}

// primary returns the primary result code of a SQLite error, 0 for other errors.
func primary(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// outcome is classify, except for errors of statements that were interrupted by the end of ctx.
func outcome(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*fault.Error](err); !ok && err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return classify(err)
}

// classify converts a database error to a fault. It returns faults, context errors and a lost lease unchanged.
func classify(err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok || err == nil {
		return err
	}
	switch {
	case errors.Is(err, job.ErrLost), errors.Is(err, context.Canceled):
		return err
	case away(err): // also a deadline of connecting, or of the database's own
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database is unavailable: %w", err)
	case badText(err):
		return fault.New(fault.Invalid, fault.CodeMetadata,
			"a text contains the character U+0000 or is not valid UTF-8; remove the invalid characters")
	}
	return fault.New(fault.Internal, fault.CodeInternal, "database: %w", err)
}

// away reports whether the failure is caused by the state of the database, which may be temporary, rather than by the
// statement.
func away(err error) bool {
	switch primary(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB,
		sqlite3.SQLITE_PERM:
		return true
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		// connection, insufficient resources, operator intervention and statement timeout, system error; conflicts after
		// all retries; read-only (a standby); limits of pauses, transactions and locks
		return strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "53") || strings.HasPrefix(e.Code, "57") ||
			strings.HasPrefix(e.Code, "58") || strings.HasPrefix(e.Code, "40") ||
			slices.Contains([]string{"25006", "25P03", "25P04", "55P03"}, e.Code)
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, errBatch) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		strings.Contains(err.Error(), "sql: database is closed") || strings.Contains(err.Error(), "conn closed")
}

// badText reports whether PostgreSQL refused a text: see package storable.
func badText(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "22021" || e.Code == "22P05")
}
