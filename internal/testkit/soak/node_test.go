package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/sandboxtest"
	"parley/sample"
)

// parley builds the program once and returns its path.
func parley(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var folder string // of the program, removed by TestMain

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "engine" {
		engine(os.Args[2:])
		return
	}
	var err error
	if folder, err = os.MkdirTemp("", "parley-soak-"); err != nil {
		panic(err)
	}
	code := sandboxtest.Run(m)
	os.RemoveAll(folder)
	os.Exit(code)
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "parley")
	command := exec.Command("go", "build", "-o", path, "parley/cmd/parley")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

// node is one server process.
type node struct {
	command *exec.Cmd
	base    string
	events  *events
	ended   chan struct{} // closed after it has ended and its log is read
}

// events counts the log events of artifacts, over all processes of a test.
type events struct {
	mu    sync.Mutex
	begun map[string]int // by media and artifact
	kept  map[string]int
	done  int      // recordings finished
	last  []string // latest log lines, for failures
	wrong []string // log lines of level ERROR
}

func newEvents() *events { return &events{begun: map[string]int{}, kept: map[string]int{}} }

// logLine holds the counted fields of a log line.
type logLine struct {
	Level, Msg, Address, Media, Artifact string
}

func (e *events) note(text string, l logLine) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch l.Msg {
	case "begun":
		e.begun[l.Media+" "+l.Artifact]++
	case "kept":
		e.kept[l.Media+" "+l.Artifact]++
	case "recording finished":
		e.done++
	}
	if l.Level == "ERROR" {
		e.wrong = append(e.wrong, text)
	}
	if e.last = append(e.last, text); len(e.last) > 40 {
		e.last = e.last[1:]
	}
}

func (e *events) tail() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.last, "\n")
}

// redone returns the number of repeated starts of chunks.
func (e *events) redone() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, times := range e.begun {
		n += times - 1
	}
	return n
}

// keptTwice lists the artifacts whose computation was recorded more than once.
func (e *events) keptTwice() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var twice []string
	for name, n := range e.kept {
		if n > 1 {
			twice = append(twice, name)
		}
	}
	return twice
}

// start starts a server process and waits until it serves.
func start(t *testing.T, e *events, flags ...string) *node {
	t.Helper()
	return startProgram(t, parley(t), e, append([]string{"--listen", "127.0.0.1:0"}, flags...)...)
}

// startProgram is start for another version of the program.
func startProgram(t *testing.T, program string, e *events, flags ...string) *node {
	t.Helper()
	args := append([]string{"serve", "--log-format", "json", "--log-level", "debug"}, flags...)
	n := &node{command: exec.Command(program, args...), events: e, ended: make(chan struct{})}
	n.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := n.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.command.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	go n.read(log, address)
	t.Cleanup(n.kill)
	select {
	case n.base = <-address:
	case <-n.ended:
		t.Fatalf("the server ended at its start:\n%s", e.tail())
	}
	return n
}

// read reads the log until the process ends.
func (n *node) read(log io.Reader, address chan<- string) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l logLine
		json.Unmarshal(lines.Bytes(), &l) // lines that are not JSON are kept as text
		if l.Msg == "serving" {
			address <- l.Address
		}
		n.events.note(lines.Text(), l)
	}
	n.command.Wait()
	close(n.ended)
}

// kill ends the process as kill -9 does.
func (n *node) kill() {
	n.command.Process.Kill()
	<-n.ended
}

// stop stops the process as SIGTERM does, and returns its exit error.
func (n *node) stop() error {
	n.command.Process.Signal(syscall.SIGTERM)
	<-n.ended
	if !n.command.ProcessState.Success() {
		return fmt.Errorf("exit after SIGTERM: %v\n%s", n.command.ProcessState, n.events.tail())
	}
	return nil
}

func (n *node) client(token string) *client.Client {
	return &client.Client{Base: n.base, Token: token, HTTP: &http.Client{Timeout: 30 * time.Second}}
}

// run runs another command of the program and returns its output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command(parley(t), args...)
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		t.Fatalf("parley %s: %v\n%s", args[0], err, problems.String())
	}
	return strings.TrimSpace(string(out))
}

// firstToken creates the database before a server does, and returns a token.
func firstToken(t *testing.T, storage ...string) string {
	t.Helper()
	run(t, append([]string{"migrate", "--create"}, storage...)...)
	return run(t, append([]string{"token", "create", "--create-account"}, storage...)...)
}

// call returns a submission of the sample call.
func call() client.Submission {
	return client.Submission{Name: sample.Name, Media: bytes.NewReader(sample.Call()),
		Configuration: sample.Configuration}
}

// brief returns a submission of the first four turns of the sample call: half a minute, for tests that wait for the real
// recogniser.
func brief(t *testing.T) client.Submission {
	t.Helper()
	return client.Submission{Name: sample.Name, Media: bytes.NewReader(beginning(t, 30, sample.Name)),
		Configuration: sample.Configuration}
}

// beginning returns the first seconds of the sample call, in the format of a file with this name.
func beginning(t *testing.T, seconds int, name string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	cut := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-i", "pipe:0", "-t",
		strconv.Itoa(seconds), file)
	cut.Stdin = bytes.NewReader(sample.Call())
	if out, err := cut.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	recording, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return recording
}

// given returns a submission of the sample call with its words, so that nothing is recognised, and with callbacks, which
// are JSON objects.
func given(callbacks ...string) client.Submission {
	return client.Submission{
		Name: sample.Name, Media: bytes.NewReader(sample.Call()),
		Configuration: `{"publish":{"enableAnalyticIndexing":true,"callbacks":[` + strings.Join(callbacks, ",") + `]}}`,
		Transcript:    `{"words":[{"p":0,"c":1,"s":100,"e":400,"w":"hello"}]}`,
	}
}

// await waits until an item is done and returns its transcript as text.
func await(t *testing.T, c *client.Client, id string, e *events) string {
	t.Helper()
	item, err := c.Wait(t.Context(), id, 200*time.Millisecond, func(client.Progress) {})
	if err != nil {
		t.Fatalf("wait for %s: %v\n%s", id, err, e.tail())
	}
	if item.Status != "finished" {
		t.Fatalf("media %s is %s: %v\n%s", id, item.Status, item.Errors, e.tail())
	}
	text, err := c.Transcript(t.Context(), id, "text")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// processes lists the processes that run the program of this test.
func processes(t *testing.T) []string {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && strings.HasPrefix(target, folder) {
			found = append(found, regexp.MustCompile(`\d+`).FindString(link))
		}
	}
	return found
}

// processorTime returns the CPU time of the processes that run the program of this test, including their children that
// have ended.
func processorTime(t *testing.T) (sum time.Duration) {
	t.Helper()
	const ticks = 100 // a second, on Linux
	for _, pid := range processes(t) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			continue // it has ended: its parent has its time
		}
		_, numbers, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(numbers)
		for _, f := range fields[11:15] { // utime, stime, cutime, cstime (proc_pid_stat(5))
			n, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += time.Duration(n) * time.Second / ticks
		}
	}
	return sum
}

// eventually waits until a condition holds; it ends with the test.
func eventually(ctx context.Context, holds func() bool) bool {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}

// soaking reports whether the long tests are enabled.
func soaking() bool { return os.Getenv("PARLEY_SOAK") != "" }
