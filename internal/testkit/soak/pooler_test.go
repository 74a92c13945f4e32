package soak

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/freeport"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/verify"
)

// TestServersWorkBehindTheConnectionPoolerOfTheDocumentation runs PgBouncer with the settings of docs/deployment.md, but
// other addresses and users, between PostgreSQL and two servers that take turns at a recording.
func TestServersWorkBehindTheConnectionPoolerOfTheDocumentation(t *testing.T) {
	verify.Long(t)
	database := pool(t, pgtest.URL(t))
	token := firstToken(t, "--data", filepath.Join(t.TempDir(), "admin"), "--database", database)
	e := newEvents()
	folder := filepath.Join(t.TempDir(), "data")
	n := start(t, e, "--data", folder, "--database", database)
	c := n.client(token)
	before, err := c.Submit(t.Context(), given())
	if err != nil {
		t.Fatal(err)
	}
	await(t, c, before.MediaID, e)
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	// The sessions of the first server serve the second one.
	c = start(t, e, "--data", folder, "--database", database).client(token)
	after, err := c.Submit(t.Context(), given())
	if err != nil {
		t.Fatal(err)
	}
	await(t, c, after.MediaID, e)
	found, err := c.Ask(t.Context(), `SELECT COUNT(*) FROM media WHERE * SAYS "hello"`)
	if err != nil || !strings.Contains(string(found), `"rows":[{"count(*)":2}]`) {
		t.Errorf("two calls say hello, but the answer is %s, %v", found, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.wrong) > 0 {
		t.Errorf("errors are in the log:\n%s", strings.Join(e.wrong, "\n"))
	}
}

// pool runs PgBouncer in front of a database until the test ends, and returns the database's URL through it.
func pool(t *testing.T, database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Fatalf("%v; install pgbouncer", err)
	}
	behind, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	name, port := strings.TrimPrefix(behind.Path, "/"), freeport.On(t, freeport.Usual)
	settings := changed(t, documented(t, "ini"), [][2]string{
		{"parley=host=127.0.0.1 port=5432 dbname=parley",
			name + " = host=" + behind.Query().Get("host") + " user=postgres dbname=" + name},
		{"listen_port = 6432", "listen_port = " + port},
		{"auth_type = scram-sha-256", "auth_type = any"}, // as in the test's database
		{"auth_file = /etc/pgbouncer/userlist.txt", "unix_socket_dir ="},
	})
	dir, err := os.MkdirTemp("", "parley-pooler-") // PgBouncer does not run as root, which owns t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, file)
	if os.Geteuid() == 0 {
		command = exec.Command(program, "-u", "postgres", file)
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if t.Failed() {
			t.Logf("PgBouncer: %s", log.String())
		}
	})
	return "postgres://postgres@127.0.0.1:" + port + "/" + name
}
