package soak

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/freeport"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
)

// cluster is some servers on a PostgreSQL with a synchronous standby and on an S3 server, each behind links of its own.
type cluster struct {
	primary, standby *pgtest.Server
	storage          *s3test.Process
	members          []*member
	receiver         *moody
	token            string
	database, bucket string // addresses that lead around the links
	data             string // name of the database
}

// newCluster starts a cluster that logs into a folder.
func newCluster(t *testing.T, logs string) *cluster {
	t.Helper()
	log := create(t, filepath.Join(logs, "s3.log"))
	c := &cluster{primary: pgtest.Durable(t), storage: s3test.Start(t, log), receiver: newMoody(t)}
	direct, err := url.Parse(c.primary.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	c.data, c.bucket = strings.TrimPrefix(direct.Path, "/"), s3test.URL(c.storage.Address)
	c.database = c.databaseAt(c.primary.Address())
	c.standby = c.primary.Standby(t)
	c.token = firstToken(t, "--data", t.TempDir(), "--database", c.database)
	for i := range nodesOfTrial {
		c.members = append(c.members, c.newMember(t, i, logs))
	}
	for _, m := range c.members {
		if !eventually(before(t, time.Now().Add(settling)), func() bool { return m.works(t.Context(), c.token) }) {
			t.Fatalf("node %d is not ready; its log is in %s", m.index, logs)
		}
	}
	return c
}

// databaseAt returns the URL of the database on the server at host:port.
func (c *cluster) databaseAt(hostPort string) string {
	return "postgres://postgres@" + hostPort + "/" + c.data
}

func create(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// member is a node of a cluster: a server process that is started again when it ends, as a service manager does.
type member struct {
	index             int
	base              string
	flags             []string
	program           string
	database, storage *link
	log               *os.File
	web               *http.Client

	mu      sync.Mutex
	process *os.Process
	ended   chan struct{} // of the process; nil before the first one
	wanted  bool
	written int64 // bytes of the log before the process
	deaths  int   // processes that ended by themselves after they had begun to serve
}

// restartPause is how long a process that ended by itself stays away.
const restartPause = 500 * time.Millisecond

func (c *cluster) newMember(t *testing.T, index int, logs string) *member {
	t.Helper()
	m := &member{
		index: index, program: parley(t), log: create(t, filepath.Join(logs, fmt.Sprintf("node-%d.log", index))),
		database: newLink(t, fmt.Sprintf("database of %d", index), c.primary.Address()),
		storage:  newLink(t, fmt.Sprintf("storage of %d", index), c.storage.Address),
		web:      &http.Client{Timeout: 8 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}},
	}
	listen := net.JoinHostPort(freeport.Quiet, freeport.On(t, freeport.Quiet))
	m.base = "http://" + listen
	m.flags = []string{"serve", "--log-format", "json", "--log-level", "debug", "--listen", listen,
		"--data", filepath.Join(t.TempDir(), fmt.Sprint(index)), "--database", c.databaseAt(m.database.address()),
		"--blobs", s3test.URL(m.storage.address()), "--engines", "1", "--drain-timeout", "10s",
		"--allow-insecure-callbacks", "--allow-networks", "127.0.0.0/8", "--callback-patience", "5s",
		"--callback-schedule", everySecond(100)}
	if err := m.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.end(syscall.SIGKILL) })
	return m
}

// everySecond returns a schedule of attempts to deliver callbacks.
func everySecond(n int) string {
	var times []string
	for i := range n {
		times = append(times, fmt.Sprintf("%ds", i))
	}
	return strings.Join(times, ",")
}

// client returns a client whose requests end while a node is frozen.
func (m *member) client(token string) *client.Client {
	return &client.Client{Base: m.base, Token: token, HTTP: m.web}
}

// start starts the process of a node that does not run.
func (m *member) start() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wanted = true
	return m.run()
}

// run is start for callers that hold the lock.
func (m *member) run() error {
	log, err := m.log.Stat()
	if err != nil {
		return err
	}
	command := exec.Command(m.program, m.flags...)
	command.Stdout, command.Stderr = m.log, m.log
	if err := command.Start(); err != nil {
		return err
	}
	m.process, m.ended, m.written = command.Process, make(chan struct{}), log.Size()
	go m.attend(command, m.ended)
	return nil
}

// attend waits for the end of a process, and starts another one if nobody asked for the end.
func (m *member) attend(command *exec.Cmd, ended chan struct{}) {
	command.Wait()
	close(ended)
	again := time.NewTimer(restartPause)
	defer again.Stop()
	<-again.C
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.wanted && m.ended == ended {
		if m.served() {
			m.deaths++
		}
		m.run()
	}
}

// served reports whether the latest process has begun to serve; one that does not reach the database at its start ends.
func (m *member) served() bool {
	log, err := os.ReadFile(m.log.Name())
	return err == nil && strings.Contains(string(log[m.written:]), `"msg":"serving"`)
}

// end ends the process with a signal, and returns when it has ended; false if it does not within half a minute.
func (m *member) end(signal syscall.Signal) bool {
	m.mu.Lock()
	m.wanted = false
	process, ended := m.process, m.ended
	m.mu.Unlock()
	process.Signal(signal)
	select {
	case <-ended:
		return true
	case <-time.After(30 * time.Second):
		process.Kill()
		<-ended
		return false
	}
}

// signal sends a signal to the process.
func (m *member) signal(signal syscall.Signal) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.process.Signal(signal)
}

// works reports whether the node says that it is ready, and answers.
func (m *member) works(ctx context.Context, token string) bool {
	response, err := m.web.Get(m.base + "/readyz")
	if err != nil {
		return false
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return false
	}
	_, _, err = m.client(token).List(ctx, client.Filter{}, 1)
	return err == nil
}

// deaths reports processes that ended by themselves while they served.
func (c *cluster) deaths() (problems []string) {
	for _, m := range c.members {
		m.mu.Lock()
		if m.deaths > 0 {
			problems = append(problems, fmt.Sprintf("the server of node %d ended by itself %d times", m.index, m.deaths))
		}
		m.mu.Unlock()
	}
	return problems
}
