package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/operation/config"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/testkit/servertest"
)

// asCommand has the test binary be the program.
const asCommand = "PARLEY_TEST_COMMAND"

func TestMain(m *testing.M) {
	sandbox.Main()
	if len(os.Args) > 1 && os.Args[1] == "recogniser" {
		info := asr.Info{Engine: "own", Version: "1", Languages: []string{"en-US"}, MaxChunk: time.Minute}
		if line.Serve(context.Background(), os.Stdin, os.Stdout, info, echo{}) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv(asCommand) != "" {
		os.Exit(run(os.Args[1:]))
	}
	servertest.Main(m)
}

// echo is an engine that hears one word in everything.
type echo struct{}

func (echo) Recognize(context.Context, asr.Request) (*asr.Recognition, error) {
	return &asr.Recognition{Words: []asr.Word{{Text: "echo", End: time.Millisecond}}}, nil
}

// programPath is the program that tests run: the one that PARLEY_PROGRAM names, which make test builds without the race
// detector, because that takes a third of a second to start; or else this test binary.
func programPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PARLEY_PROGRAM"); path != "" {
		return path
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// user is somebody who types commands: a home of his own, and what his environment has.
type user struct {
	t    *testing.T
	home string
	env  []string
}

func newUser(t *testing.T) *user {
	t.Helper()
	home := t.TempDir()
	return &user{t: t, home: home, env: []string{
		asCommand + "=1", "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"PATH=" + os.Getenv("PATH"), "TZ=Asia/Kolkata", "COLUMNS=100",
	}}
}

// at is a user of a server, by its address and a token.
func at(t *testing.T, s *servertest.Server) *user {
	u := newUser(t)
	u.env = append(u.env, "PARLEY_SERVER="+strings.TrimPrefix(s.Base, "http://"), "PARLEY_TOKEN="+s.Token)
	return u
}

// typed is what comes of a command.
type typed struct {
	out, err string
	code     int
}

// types runs a command with something on its standard input.
func (u *user) types(input string, args ...string) typed {
	u.t.Helper()
	cmd := exec.CommandContext(u.t.Context(), programPath(u.t), args...)
	var out, problems bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = u.env, u.home, strings.NewReader(input), &out, &problems
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		u.t.Fatal(err)
	}
	return typed{out.String(), problems.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command that succeeds, and returns what it prints.
func (u *user) must(args ...string) string {
	u.t.Helper()
	r := u.types("", args...)
	if r.code != 0 {
		u.t.Fatalf("parley %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

// refused runs a command that fails with a code and words on standard error, and prints nothing else.
func (u *user) refused(code int, words string, args ...string) {
	u.t.Helper()
	r := u.types("", args...)
	if r.code != code || !strings.Contains(r.err, words) || r.out != "" {
		u.t.Errorf("parley %s: exit %d, want %d and %q\nout: %s\nerr: %s", strings.Join(args, " "), r.code, code, words,
			r.out, r.err)
	}
}

// write writes a file into the user's folder and returns its path.
func (u *user) write(name string, content []byte) string {
	u.t.Helper()
	path := filepath.Join(u.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600)); err != nil {
		u.t.Fatal(err)
	}
	return path
}

// apiOnly is a server that accepts and processes nothing.
func apiOnly(s *config.Settings) { s.Role = config.RoleAPI }
