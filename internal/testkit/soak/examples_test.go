package soak

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/testkit/freeport"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/verify"
	"parley/sample"
)

// The examples of the documentation are fenced blocks. Those in sh are run, all of a page in one shell, in their order.
// A comment before a block says more:
//
//	<!-- example: file NAME -->        the block is the content of a file that later examples use
//	<!-- example: configuration -->    the block is the configuration of an upload, which must be accepted
//	<!-- example: metadata -->         the block is the metadata of an upload, which must be accepted
//	<!-- example: output -->           the block before prints this; "…" stands for any text
//	<!-- example: not run: REASON -->  the block is not run here
//	<!-- example: with postgresql -->  the page needs it (also: bucket); stands anywhere on the page
//
// Addresses become those of the test: 127.0.0.1:8080 is the server, 127.0.0.1:8443 free for one of the page's own,
// 127.0.0.1:5432 PostgreSQL, 127.0.0.1:9000 S3.
type example struct {
	line      int    // of its fence, from 1
	language  string // after the fence
	directive string // "" for none
	text      string
}

var directive = regexp.MustCompile(`^<!-- example: (.+) -->$`)

// examples parses the fenced blocks of a page, and the services that the page needs. Fences may be indented.
func examples(page string) (found []example, needs []string) {
	lines := strings.Split(page, "\n")
	next := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if m := directive.FindStringSubmatch(line); m != nil {
			if need, ok := strings.CutPrefix(m[1], "with "); ok {
				needs = append(needs, strings.Fields(need)...)
			} else {
				next = m[1]
			}
			continue
		}
		if !strings.HasPrefix(line, "```") {
			if line != "" {
				next = ""
			}
			continue
		}
		indent := lines[i][:strings.Index(lines[i], "`")]
		e := example{line: i + 1, language: strings.TrimPrefix(line, "```"), directive: next}
		next = ""
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
			e.text += strings.TrimPrefix(lines[i], indent) + "\n"
		}
		found = append(found, e)
	}
	return found, needs
}

// pages are the documents with examples, by their path in the repository.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	return append(docs, "../../../README.md", "../../../api/openapi.yaml")
}

// TestEveryExampleOfTheDocumentationRunsAsPasted runs the examples of each page on a separate server with the sample
// call.
func TestEveryExampleOfTheDocumentationRunsAsPasted(t *testing.T) {
	verify.Long(t)
	for _, path := range pages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		blocks, needs := examples(string(text))
		script := scriptOf(t, path, blocks)
		if script == "" {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			runExamples(t, path, script, needs, blocks)
		})
	}
}

// command matches a line that a reader would paste into a shell.
var command = regexp.MustCompile(`^(\$ )?((bin/)?parley|curl|make|export [A-Z_]+=|sudo|apt-get) [^\[]*$`)

// helpMark begins the help of all commands in docs/cli.md; the tests of the commands parse the examples in it.
const helpMark = "<!-- The help of each command follows"

// TestNoExampleEscapes checks that everything that looks like a command is in a block that is run.
func TestNoExampleEscapes(t *testing.T) {
	verify.Long(t)
	for _, path := range pages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fenced := ""
		page, _, _ := strings.Cut(string(text), helpMark)
		for i, line := range strings.Split(page, "\n") {
			trimmed := strings.TrimSpace(line)
			if strings.HasPrefix(trimmed, "```") {
				fenced = map[bool]string{true: trimmed, false: ""}[fenced == ""]
				continue
			}
			if !command.MatchString(trimmed) || fenced == "```sh" || fenced == "" && !strings.HasPrefix(line, "    ") {
				continue
			}
			if filepath.Ext(path) == ".yaml" && fenced == "" {
				continue // YAML is indented
			}
			t.Errorf("%s:%d: %q stands outside of a block in sh, so nothing tries it", path, i+1, trimmed)
		}
	}
}

const prelude = `set -euo pipefail
curl() { command curl --fail-with-body -sS --max-time 60 "$@"; }
sudo() { [ "$1" = -u ] && shift 2; "$@"; }
step() { echo "line $1" >&2; }
`

// scriptOf joins the examples of a page into one script, whose step N writes its output to the file out.N; it is empty
// if there is nothing to run.
func scriptOf(t *testing.T, path string, blocks []example) string {
	t.Helper()
	var script strings.Builder
	commands := false
	for _, b := range blocks {
		write := func(name string) {
			fmt.Fprintf(&script, "cat >'%s' <<'END OF FILE'\n%sEND OF FILE\n", name, b.text)
		}
		verb, rest, _ := strings.Cut(b.directive, " ")
		switch {
		case verb == "not":
			continue
		case verb == "file":
			write(rest)
			continue
		case verb == "configuration" || verb == "metadata":
			commands = true
			write("part.json")
			fmt.Fprintf(&script, "step %d\ncurl -o out.%d -H \"Authorization: Bearer $TOKEN\" "+
				"$PARLEY_SERVER/v3/media -F media=@call.wav -F transcript=@call.txt -F '%s=<part.json'\n", b.line,
				b.line, verb)
		case b.language == "sh":
			commands = true
			fmt.Fprintf(&script, "step %d\n{\n%s} >out.%d\n", b.line, b.text, b.line)
		case verb != "" && verb != "output":
			t.Errorf("%s:%d: unknown directive %q", path, b.line, b.directive)
		}
	}
	if !commands {
		return ""
	}
	return prelude + script.String()
}

// runExamples runs the script of a page on a new server.
func runExamples(t *testing.T, path, script string, needs []string, blocks []example) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	token := firstToken(t, "--data", data)
	e := newEvents()
	n := start(t, e, append(engineFlags(), "--data", data)...)
	first := call()
	first.Transcript, first.Metadata = spoken(t), sample.Metadata
	item, err := n.client(token).Submit(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	await(t, n.client(token), item.MediaID, e)
	prepare(t, dir, token)

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	environment, addresses := provide(t, needs)
	addresses["127.0.0.1:8080"] = strings.TrimPrefix(n.base, "http://")
	for documented, here := range addresses {
		script = strings.ReplaceAll(script, documented, here)
	}
	shell := exec.CommandContext(ctx, "bash", "-c", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+filepath.Dir(parley(t))+":"+os.Getenv("PATH"), "HOME="+dir,
		"XDG_CONFIG_HOME="+dir,
		"TOKEN="+token, "PARLEY_TOKEN="+token, "PARLEY_SERVER="+n.base, "MEDIA_ID="+item.MediaID)
	shell.Env = append(shell.Env, environment...)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	var problems bytes.Buffer
	shell.Stderr = &problems
	err = shell.Run()
	syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) // kills its background processes
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", path, err, problems.String(), last(dir, problems.String()))
	}
	compare(t, path, dir, blocks)
}

// last returns the output of the failed step.
func last(dir, problems string) string {
	steps := regexp.MustCompile(`(?m)^line (\d+)$`).FindAllStringSubmatch(problems, -1)
	if len(steps) == 0 {
		return ""
	}
	out, _ := os.ReadFile(filepath.Join(dir, "out."+steps[len(steps)-1][1]))
	return string(out)
}

// spoken returns the text of the sample call.
func spoken(t *testing.T) string {
	t.Helper()
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, turn := range turns {
		fmt.Fprintf(&text, "%s: %s\n", turn.Speaker, turn.Text)
	}
	return text.String()
}

// prepare fills a folder with the files that examples use: a call with its text, a folder of calls, the program.
func prepare(t *testing.T, dir, token string) {
	t.Helper()
	for _, name := range []string{"bin", "calls", ".local/share/bash-completion/completions"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(parley(t), filepath.Join(dir, "bin", "parley")); err != nil {
		t.Fatal(err)
	}
	wav := beginning(t, 12, "call.wav")
	if err := os.WriteFile(filepath.Join(dir, "call.wav"), wav, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"call.txt": []byte(spoken(t)), "calls/monday.wav": wav,
		"data/demo-token": []byte(token)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// provide starts the services that a page needs. It returns the environment of its examples, and the replacements of
// the addresses in them.
func provide(t *testing.T, needs []string) (environment []string, addresses map[string]string) {
	t.Helper()
	addresses = map[string]string{"127.0.0.1:8443": "127.0.0.1:" + freeport.On(t, freeport.Usual)}
	for _, need := range needs {
		switch need {
		case "postgresql":
			here, err := url.Parse(pgtest.Start(t).URL(t))
			if err != nil {
				t.Fatal(err)
			}
			socket := here.Query().Get("host")
			environment = append(environment, "PGHOST="+socket, "PGUSER=postgres")
			addresses["127.0.0.1:5432"] = forward(t, filepath.Join(socket, ".s.PGSQL.5432"))
		case "bucket":
			bucket := httptest.NewServer(s3test.New(t))
			t.Cleanup(bucket.Close)
			addresses["http://127.0.0.1:9000"] = bucket.URL
		default:
			t.Fatalf("a page needs %q, which is unknown", need)
		}
	}
	return environment, addresses
}

// forward forwards TCP connections to a Unix socket until the test ends, and returns the TCP address.
func forward(t *testing.T, socket string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("unix", socket)
			if err != nil {
				from.Close()
				continue
			}
			go func() {
				io.Copy(to, from)
				to.Close()
			}()
			go func() {
				io.Copy(from, to)
				from.Close()
			}()
		}
	}()
	return l.Addr().String()
}

// compare compares the output of examples with the page.
func compare(t *testing.T, path, dir string, blocks []example) {
	t.Helper()
	before := 0
	for _, b := range blocks {
		if b.language == "sh" && !strings.HasPrefix(b.directive, "not ") {
			before = b.line
		}
		if b.directive != "output" {
			continue
		}
		printed, err := os.ReadFile(fmt.Sprintf("%s/out.%d", dir, before))
		if err != nil {
			t.Errorf("%s:%d: no example stands before this output: %v", path, b.line, err)
			continue
		}
		if !like(string(printed), b.text) {
			t.Errorf("%s:%d: the example prints\n%s\nand the page says\n%s", path, b.line, printed, b.text)
		}
	}
}

// like reports whether a text matches a pattern in which "…" stands for any text, ignoring white space at the ends.
func like(text, pattern string) bool {
	parts := strings.Split(strings.TrimSpace(pattern), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`).MatchString(strings.TrimSpace(text))
}

// TestExamplesAreReadAsTheyAreMarked tests the parser of examples.
func TestExamplesAreReadAsTheyAreMarked(t *testing.T) {
	verify.Long(t)
	page := "text\n<!-- example: with bucket -->\n```sh\na\n```\n\n<!-- example: file x.csv -->\n\n```csv\n1\n  " +
		"2\n```\n" +
		"<!-- example: output -->\nnot this\n```text\nb\n```\n  ```sh\n  c \\\n    d\n  ```\n"
	got, needs := examples(page)
	want := []example{{3, "sh", "", "a\n"}, {9, "csv", "file x.csv", "1\n  2\n"}, {15, "text", "", "b\n"},
		{18, "sh", "", "c \\\n  d\n"}}
	if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(needs) != "[bucket]" {
		t.Errorf("%v, %v", got, needs)
	}
	for _, c := range []struct {
		text, pattern string
		want          bool
	}{{"a 12 ms\n", "a … ms", true}, {"a\nb\nc", "a\n…\nc\n", true}, {"a.c", "a.c", true}, {"abc", "a.c", false},
		{"a", "a…b", false}} {
		if like(c.text, c.pattern) != c.want {
			t.Errorf("%q like %q: want %t", c.text, c.pattern, c.want)
		}
	}
}
