//go:build unix

// Package pgtest runs a real PostgreSQL for tests: initdb in a temporary folder, reachable only over a Unix socket,
// removed when the test binary ends.
//
// It does not install PostgreSQL; if it is missing, tests fail and name the Debian package. It is not for production:
// fsync is off, except on the servers of Durable.
package pgtest

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver
)

// Server is a running PostgreSQL.
type Server struct {
	dir    string // data directory and socket
	port   string // of TCP on the address host, for a durable server; empty: only the socket
	as     *syscall.Credential
	end    context.CancelFunc
	ended  chan struct{}
	serial int
	ready  bool // the database prepared exists
	mu     sync.Mutex
}

// shared is the one server of this process, for all tests that do not stop it.
var shared = sync.OnceValues(func() (*Server, error) { return start("") })

// URL returns the URL of a new, empty database on the server that the tests of this binary share. The
// database is dropped when the test ends.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s.URL(t)
}

// Prepared returns the URL of a new database with what prepare has written, on the server that the tests of this binary
// share. prepare runs once; each test gets a copy, which is dropped when the test ends.
func Prepared(t testing.TB, prepare func(url string) error) string {
	t.Helper()
	s, err := shared()
	if err == nil {
		err = s.prepare(prepare)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.create(t, prepared)
}

// prepared is the name of the database that Prepared copies.
const prepared = "prepared"

func (s *Server) prepare(fill func(url string) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready {
		return nil
	}
	err := s.administer(`CREATE DATABASE ` + prepared + ` TEMPLATE template0`)
	if err == nil {
		err = fill(s.url(prepared))
	}
	s.ready = err == nil
	return err
}

// Start returns a separate server for a test, which may stop it; it is stopped at the end of the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := start("")
	if err != nil {
		t.Fatal(err)
	}
	s.endWith(t)
	return s
}

// endWith stops and removes a server at the end of a test.
func (s *Server) endWith(t testing.TB) {
	t.Cleanup(func() {
		s.Stop()
		os.RemoveAll(s.dir)
	})
}

// URL returns the URL of a new, empty database, which is dropped when the test ends if the server still runs.
func (s *Server) URL(t testing.TB) string {
	t.Helper()
	return s.create(t, "template0")
}

// create returns the URL of a new copy of a database, which is dropped when the test ends if the server still runs.
func (s *Server) create(t testing.TB, template string) string {
	t.Helper()
	s.mu.Lock()
	s.serial++
	name := fmt.Sprintf("test%d", s.serial)
	s.mu.Unlock()
	if err := s.administer(`CREATE DATABASE ` + name + ` TEMPLATE ` + template); err != nil {
		t.Fatal(err)
	}
	if s.port == "" { // a durable server ends with its test, and would wait for its standby
		t.Cleanup(func() { s.administer(`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`) })
	}
	return s.url(name)
}

func (s *Server) url(database string) string {
	parameters := url.Values{"host": {s.dir}}
	if s.port != "" {
		parameters.Set("port", s.port)
	}
	return "postgres://postgres@/" + database + "?" + parameters.Encode()
}

// administer runs one statement on the maintenance database.
func (s *Server) administer(statement string) error {
	db, err := sql.Open("pgx", s.url("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// Stop kills the server, as a crash of its machine would; the data stays.
func (s *Server) Stop() {
	s.end()
	<-s.ended
}

// Holding makes the server write everything to disk, and returns the files that contain a text, as paths relative to
// its data directory: tables, indexes, WAL and all others.
func (s *Server) Holding(t testing.TB, text string) (names []string) {
	t.Helper()
	if err := s.administer(`CHECKPOINT`); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(s.data(), func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !entry.Type().IsRegular() {
			return nil // the file may have been deleted
		}
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if bytes.Contains(content, []byte(text)) {
			names = append(names, strings.TrimPrefix(path, s.data()+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Restart starts a stopped server on the same data.
func (s *Server) Restart() error { return s.run() }

// Save restarts the server after copying its data, as a backup does. The returned function stops the server, brings the
// copy back and starts it: the database goes back in time.
func (s *Server) Save(t testing.TB) (restore func()) {
	t.Helper()
	replace := func(to, from string) {
		t.Helper()
		s.Stop()
		if out, err := exec.Command("sh", "-c", `rm -rf "$0" && cp -a "$1" "$0"`, to, from).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if err := s.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	saved := filepath.Join(s.dir, "saved")
	replace(saved, s.data())
	return func() { t.Helper(); replace(s.data(), saved) }
}

// start starts a server on a new database cluster; with a port it is durable.
func start(port string) (*Server, error) {
	s, err := reserve(port)
	if err != nil {
		return nil, err
	}
	err = s.fill("initdb", "--pgdata", s.data(), "--username=postgres", "--auth=trust", "--encoding=UTF8",
		"--locale=C.UTF-8", "--no-sync")
	if err != nil {
		return nil, err
	}
	return s, s.run()
}

// reserve returns a server with a folder that has no data yet.
func reserve(port string) (*Server, error) {
	removeStale()
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, port: port}
	return s, s.own()
}

// fill runs a program of PostgreSQL that writes the data of a server.
func (s *Server) fill(name string, args ...string) error {
	path, err := program(name)
	if err != nil {
		return err
	}
	cmd := s.command(context.Background(), path, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// own gives the folder to the user postgres if this process runs as root, because PostgreSQL refuses to run as root.
func (s *Server) own() error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("%w; install the package postgresql", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return err
	}
	s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(s.dir, int(uid), int(gid))
}

// command returns a command that runs as the right user and ends with this process. Package child is not usable because
// of its limits, which a root without CAP_SYS_RESOURCE cannot set on another user's process.
func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = attributes(s.as)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// run starts the server and returns when it accepts connections.
func (s *Server) run() error {
	postgres, err := program("postgres")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := s.command(ctx, postgres, append([]string{"-D", s.data(), "-k", s.dir, "-c", "shared_buffers=32MB",
		"-c", "max_connections=100"}, s.settings()...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		cancel()
		return err
	}
	s.end, s.ended = cancel, make(chan struct{})
	started := make(chan error)
	go s.attend(cmd, log, started)
	if err := <-started; err != nil {
		s.Stop()
		return err
	}
	return nil
}

// settings returns those by which a durable server differs from one that is only fast.
func (s *Server) settings() []string {
	if s.port != "" {
		return []string{"-c", "listen_addresses=" + host, "-p", s.port}
	}
	return []string{"-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off"}
}

// attend starts the server and waits for its end on one OS thread, because the kernel sends the death signal when the
// thread that started a process ends, not when the process ends.
func (s *Server) attend(cmd *exec.Cmd, log io.Reader, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(s.ended)
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	started <- awaitReady(log)
	io.Copy(io.Discard, log)
	cmd.Wait()
}

// awaitReady reads the server's log until it reports that it is ready.
func awaitReady(log io.Reader) error {
	var seen []string
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "database system is ready to accept ") {
			return nil
		}
		seen = append(seen, lines.Text())
	}
	return fmt.Errorf("postgres ended:\n%s", strings.Join(seen, "\n"))
}

// program finds a program of the newest installed PostgreSQL: first in Debian's directory, then in the PATH.
func program(name string) (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) }), nil
	}
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s is missing; install the package postgresql", name)
	}
	return path, err
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

const prefix = "parley-postgres-"

// removeStale removes the folders of servers whose test binaries were killed and could not clean up.
func removeStale() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range dirs {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && syscall.Kill(n, 0) == syscall.ESRCH {
			os.RemoveAll(dir)
		}
	}
}
