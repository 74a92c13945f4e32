package sqldb

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"golang.org/x/sys/unix"

	"parley/internal/words/fault"
)

// Limits of connections to PostgreSQL. A node that stops inside a transaction holds its locks for idlePause at most, and
// a host that does not answer is given up after silence.
const (
	connectTime = 5 * time.Second
	lockTime    = 5 * time.Second  // for a lock that another transaction holds
	idlePause   = 5 * time.Second  // between two statements of a transaction
	longPause   = 30 * time.Second // the same, in transactions of Patient
	silence     = 10 * time.Second // without acknowledgement of what was sent, or of a keepalive
	probeAfter  = time.Second      // without use, a connection is tried first
	probeTime   = 2 * time.Second
)

// limits are what the sessions of a pool may take.
type limits struct{ statement, lock, pause time.Duration }

// Postgres returns a pool of connections to a PostgreSQL database. It does not connect yet.
func Postgres(url string, connections, idle int) (*DB, error) {
	return postgres(url, connections, idle, limits{Deadline, lockTime, idlePause})
}

// PostgresForMigration is Postgres for changes of tables, which may take as long as Migration says.
func PostgresForMigration(url string) (*DB, error) {
	return postgres(url, 2, 2, limits{Migration, lockTime, Migration})
}

func postgres(url string, connections, idle int, most limits) (*DB, error) {
	c, err := pgx.ParseConfig(url)
	if err != nil { // the error text may contain the password
		return nil, fault.New(fault.Invalid, fault.CodeInternal,
			"the PostgreSQL URL cannot be parsed; write postgres://user:password@host:port/database")
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, connectTime)
	c.DialFunc = (&net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silence / 2, Interval: silence / 4, Count: 2},
		Control:         giveUpSilence,
	}).DialContext
	given := c.RuntimeParams
	pool := stdlib.OpenDB(*c,
		stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, sessionLimits(most, given))
			return err
		}),
		stdlib.OptionShouldPing(func(_ context.Context, p stdlib.ShouldPingParams) bool {
			p.Conn.PgConn().CustomData()[unused] = p.IdleDuration
			return false // probe does it, in less time than the caller has
		}),
		stdlib.OptionResetSession(probe))
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(idle)
	return &DB{pool: pool, idle: idle, postgres: true}, nil
}

// giveUpSilence makes the kernel end a connection whose peer does not acknowledge what was sent.
func giveUpSilence(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
		if errors.Is(failed, unix.EOPNOTSUPP) || errors.Is(failed, unix.ENOPROTOOPT) { // no TCP
			failed = nil
		}
	})
	return errors.Join(err, failed)
}

// unused is the key of a connection's time without use.
const unused = "unused"

// probe tries a connection that was not used for a while. Another one is taken if it does not answer.
func probe(ctx context.Context, conn *pgx.Conn) error {
	if idle, _ := conn.PgConn().CustomData()[unused].(time.Duration); idle < probeAfter {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if conn.PgConn().Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	return nil
}

// sessionLimits returns the statements that limit what a session may take, except those that the URL sets itself. The
// limit of a whole transaction is the client's Deadline: its server ends what it has begun when the client is gone.
func sessionLimits(most limits, given map[string]string) string {
	var text strings.Builder
	for _, l := range []struct {
		name  string
		limit time.Duration
	}{
		{"statement_timeout", most.statement}, {"lock_timeout", most.lock},
		{"idle_in_transaction_session_timeout", most.pause},
	} {
		if _, ok := given[l.name]; !ok {
			fmt.Fprintf(&text, "SET %s = %d;", l.name, l.limit.Milliseconds())
		}
	}
	return text.String()
}

// localLimits returns the statements that give a transaction more time.
func localLimits(limit time.Duration) string {
	return fmt.Sprintf(`SET LOCAL statement_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d`,
		limit.Milliseconds(), min(limit, longPause).Milliseconds())
}

// seen looks at an error of the database, and returns it. If the server is gone, or has become read-only because another
// one took over, unused connections to it are closed, so that nobody has to find that out one by one.
func (db *DB) seen(err error) error {
	if db.postgres && err != nil && lost(err) {
		db.pool.SetMaxIdleConns(0)
		db.pool.SetMaxIdleConns(db.idle)
	}
	return err
}

// lost reports whether an error says that the server is not the one to talk to any more.
func lost(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "25006" || strings.HasPrefix(e.Code, "57P") || strings.HasPrefix(e.Code, "08")
	}
	_, network := errors.AsType[net.Error](err)
	_, connect := errors.AsType[*pgconn.ConnectError](err)
	return network || connect || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, driver.ErrBadConn)
}
