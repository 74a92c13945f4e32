package soak

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/freeport"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/verify"
)

// migrations is the folder of the migrations.
const migrations = "internal/storage/store/migrations"

// TestAnUpgradeUnderLoadFailsNoRequestAndNoJob replaces three servers of the earliest version that can be upgraded one
// after the other, behind HAProxy with the settings of docs/deployment.md, while clients upload, follow and query.
func TestAnUpgradeUnderLoadFailsNoRequestAndNoJob(t *testing.T) {
	verify.Long(t)
	before := earliestVersion(t)
	database, bucket := pgtest.URL(t), s3test.Bucket(t)
	storage := []string{"--data", filepath.Join(t.TempDir(), "admin"), "--database", database}
	command := exec.Command(before, append([]string{"migrate", "--create"}, storage...)...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	web := newCounter(t)
	older, newer := newEvents(), newEvents()
	ports := []string{freeport.On(t, freeport.Usual), freeport.On(t, freeport.Usual), freeport.On(t, freeport.Usual)}
	serve := func(program string, e *events, place int) *node {
		return startProgram(t, program, e, "--listen", "127.0.0.1:"+ports[place], "--database", database, "--blobs", bucket,
			"--data", filepath.Join(t.TempDir(), fmt.Sprint(place)), "--engines", "1", "--drain-delay", "5s",
			"--allow-insecure-callbacks", "--allow-networks", "127.0.0.0/8")
	}
	var nodes []*node
	for place := range ports {
		nodes = append(nodes, serve(before, older, place))
	}
	token := run(t, append([]string{"token", "create", "--create-account"}, storage...)...)
	load := &load{web: web.URL, client: client.Client{Base: "http://127.0.0.1:" + balance(t, ports), Token: token}}
	load.start(t, 6)

	work := func(e *events, what string) {
		t.Helper()
		e.mu.Lock()
		want := e.done + 10
		e.mu.Unlock()
		if !eventually(t.Context(), func() bool { e.mu.Lock(); defer e.mu.Unlock(); return e.done >= want }) {
			t.Fatalf("%s: no more recordings are finished\n%s", what, e.tail())
		}
	}
	work(older, "before the upgrade")
	for place, n := range nodes {
		if err := n.stop(); err != nil {
			t.Error(err)
		}
		serve(parley(t), newer, place)
		work(newer, "new servers")
		if place < len(nodes)-1 {
			work(older, "old servers beside new ones")
		}
	}
	load.end()

	for _, failure := range load.failures {
		t.Errorf("a request failed: %s", failure)
	}
	c := load.client
	for _, id := range load.ids {
		await(t, &c, id, newer)
	}
	delivered := func() bool { return web.accepted() == len(load.ids) }
	if !eventually(t.Context(), delivered) {
		t.Errorf("of %d callbacks, %d were delivered", len(load.ids), web.accepted())
	}
	if dead := run(t, append([]string{"queue", "list", "--state", "dead"}, storage...)...); strings.Contains(dead, "/") {
		t.Errorf("jobs died:\n%s", dead)
	}
	t.Logf("%d requests, %d recordings: %d finished by old servers, %d by new ones", load.requests, len(load.ids),
		older.done, newer.done)
}

// earliestVersion builds the earliest version whose servers can run beside those of this one, from the history: the
// commit that added the migration that the last contraction names.
func earliestVersion(t *testing.T) string {
	t.Helper()
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), "git", args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		t.Skip("the sources are not in a Git repository, whose history has the version to upgrade from")
	}
	if shallow, _ := git("rev-parse", "--is-shallow-repository"); shallow == "true" {
		t.Skip("the Git repository is shallow and lacks the version to upgrade from; run: git fetch --unshallow --tags")
	}
	file := migrations + "/" + neededMigration(t, filepath.Join(root, migrations))
	commit, err := git("-C", root, "log", "--diff-filter=A", "--format=%H", "--reverse", "--", file)
	if commit, _, _ = strings.Cut(commit, "\n"); err != nil || commit == "" {
		t.Fatalf("the commit that added %s is not in the history: %v", file, err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf(`git -C %q archive %s | tar -x -C %[3]q && cd %[3]q && go build -o parley ./cmd/parley`,
		root, commit, dir)
	build := exec.CommandContext(t.Context(), "sh", "-ec", script)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", commit, err, out)
	}
	return filepath.Join(dir, "parley")
}

// balance runs HAProxy in front of the servers on the given ports, with the settings of docs/deployment.md, until the
// test ends, and returns its port.
func balance(t *testing.T, ports []string) string {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		t.Fatalf("%v; install haproxy", err)
	}
	port, settings := freeport.On(t, freeport.Usual), documented(t, "haproxy")
	var servers strings.Builder
	for i, p := range ports {
		fmt.Fprintf(&servers, "    server s%d 127.0.0.1:%s\n", i, p)
	}
	settings = changed(t, settings, [][2]string{
		{`bind :443 ssl crt \S+`, "bind 127.0.0.1:" + port}, {`(?m)(^ +server .*\n)+`, servers.String()},
	})
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "-db", "-f", file)
	var log bytes.Buffer
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	answers := func() bool {
		response, err := http.Get("http://127.0.0.1:" + port + "/readyz")
		if err == nil {
			response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	}
	if !eventually(t.Context(), answers) {
		t.Fatalf("no server is ready behind HAProxy: %s", log.String())
	}
	return port
}

// counter accepts callbacks and counts their ids.
type counter struct {
	*httptest.Server
	mu  sync.Mutex
	ids map[string]bool
}

func newCounter(t *testing.T) *counter {
	c := &counter{ids: map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ids[r.Header.Get("webhook-id")] = true
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *counter) accepted() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.ids)
}

// load is the requests of clients that do not try again.
type load struct {
	web    string
	client client.Client

	mu       sync.Mutex
	requests int
	ids      []string
	failures []string
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// RoundTrip counts requests.
func (l *load) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	l.requests++
	l.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// start starts clients that upload, follow and query, until end.
func (l *load) start(t *testing.T, clients int) {
	ctx, cancel := context.WithCancel(t.Context())
	l.cancel = cancel
	l.client.HTTP = &http.Client{Transport: l, Timeout: time.Minute}
	t.Cleanup(l.end)
	for range clients {
		l.running.Go(func() {
			for ctx.Err() == nil {
				l.round(context.WithoutCancel(ctx))
			}
		})
	}
}

// round uploads a recording, follows it to its end and asks a query.
func (l *load) round(ctx context.Context) {
	item, err := l.client.Submit(ctx, given(fmt.Sprintf(`{"url":%q}`, l.web)))
	l.note("upload", err)
	if err != nil {
		return
	}
	l.mu.Lock()
	l.ids = append(l.ids, item.MediaID)
	l.mu.Unlock()
	for status := ""; err == nil && status != "finished" && status != "failed"; wait(ctx, 50*time.Millisecond) {
		var progress client.Progress
		progress, err = l.client.Progress(ctx, item.MediaID)
		status = progress.Status
	}
	l.note("progress", err)
	_, err = l.client.Ask(ctx, `SELECT COUNT(*) FROM media`)
	l.note("query", err)
}

func (l *load) note(what string, err error) {
	if err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures = append(l.failures, what+": "+err.Error())
}

// end waits until all clients have ended.
func (l *load) end() {
	l.cancel()
	l.running.Wait()
}

// neededMigration returns the name of the migration that programs must know to use the tables after all of them.
func neededMigration(t *testing.T, folder string) (name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	needs := 3 // the migration that began to say so
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^UPDATE schema_needs SET version = (\d+);`).FindAllSubmatch(text, -1) {
			if needs, err = strconv.Atoi(string(found[1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), fmt.Sprintf("%04d_", needs)) {
			name = filepath.Base(file)
		}
	}
	return name
}
