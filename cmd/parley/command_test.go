package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/host/sandbox"
	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

// asCommand is the environment variable that makes the test binary act as the program.
const asCommand = "PARLEY_TEST_COMMAND"

func TestMain(m *testing.M) {
	sandbox.Main()
	if os.Getenv(asCommand) != "" {
		os.Exit(run(os.Args[1:]))
	}
	servertest.Main(m)
}

// user runs commands, with a home directory and an environment of its own.
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

// at returns a user of a server, with its address and a token.
func at(t *testing.T, s *servertest.Server) *user {
	u := newUser(t)
	u.env = append(u.env, "PARLEY_SERVER="+strings.TrimPrefix(s.Base, "http://"), "PARLEY_TOKEN="+s.Token)
	return u
}

// typed is the outcome of a command.
type typed struct {
	out, err string
	code     int
}

// types runs a command with the given standard input.
func (u *user) types(input string, args ...string) typed {
	u.t.Helper()
	self, err := os.Executable()
	if err != nil {
		u.t.Fatal(err)
	}
	cmd := exec.CommandContext(u.t.Context(), self, args...)
	var out, problems bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = u.env, u.home, strings.NewReader(input), &out, &problems
	err = cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		u.t.Fatal(err)
	}
	return typed{out.String(), problems.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command that must succeed, and returns its output.
func (u *user) must(args ...string) string {
	u.t.Helper()
	r := u.types("", args...)
	if r.code != 0 {
		u.t.Fatalf("parley %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

// refused runs a command that must fail with an exit code and words on standard error, and print nothing else.
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

// apiOnly disables workers: the server accepts uploads and processes nothing.
func apiOnly(s *config.Settings) { s.Role = config.RoleAPI }
