//go:build unix

package pgtest

import (
	"database/sql"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"parley/internal/testkit/freeport"
)

// host is where durable servers listen.
const host = freeport.Quiet

// Durable returns a separate server with PostgreSQL's own settings of durability, which a standby can follow, and which
// also listens on TCP. It is stopped at the end of the test.
func Durable(t testing.TB) *Server {
	t.Helper()
	s, err := start(freeport.On(t, host))
	if err != nil {
		t.Fatal(err)
	}
	s.endWith(t)
	return s
}

// Standby returns a synchronous standby of a durable server. From now on the server acknowledges a commit when both have
// written it to disk. The standby is stopped at the end of the test.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	follower, err := reserve(freeport.On(t, host))
	if err == nil {
		err = follower.fill("pg_basebackup", "--pgdata", follower.data(), "--write-recovery-conf", "--checkpoint=fast",
			"--no-sync", "--dbname", "host="+s.dir+" port="+s.port+" user=postgres")
	}
	if err == nil {
		err = follower.run()
	}
	if err != nil {
		t.Fatal(err)
	}
	follower.endWith(t)
	if err := s.synchronize(); err != nil {
		t.Fatal(err)
	}
	return follower
}

// synchronize makes the server wait for its standby, and returns when the standby follows.
func (s *Server) synchronize() error {
	db, err := sql.Open("pgx", s.url("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	for _, statement := range []string{`ALTER SYSTEM SET synchronous_standby_names = '*'`, `SELECT pg_reload_conf()`} {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(time.Minute); ; {
		var following int
		err := db.QueryRow(`SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`).Scan(&following)
		if err != nil || following > 0 {
			return err
		}
		select {
		case <-tick.C:
		case <-limit:
			return errors.New("the standby does not follow")
		}
	}
}

// Promote makes a standby a primary, and returns when it can be written to.
func (s *Server) Promote() error {
	db, err := sql.Open("pgx", s.url("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	var done bool
	if err := db.QueryRow(`SELECT pg_promote(true, 60)`).Scan(&done); err != nil || !done {
		return fmt.Errorf("the standby was not promoted: %w", err)
	}
	return nil
}

// Address returns the TCP address of a durable server.
func (s *Server) Address() string { return net.JoinHostPort(host, s.port) }
