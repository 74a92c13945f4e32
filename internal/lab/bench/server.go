package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parley/internal/host/sandbox"
)

// Server is a server used only by one benchmark: a child process on loopback with a new data directory.
type Server struct {
	Base  string // its address
	Token string // of the default account
	Dir   string // the folder that contains only its data directory
	PID   int
	cmd   *exec.Cmd

	program string
}

// StartServer runs program, which is parley itself, with "serve" and args, on a temporary data directory below dir. The
// caller must call Close.
func StartServer(ctx context.Context, program, dir string, args ...string) (_ *Server, err error) {
	s := &Server{}
	if s.Dir, err = os.MkdirTemp(dir, "parley-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	s.program = program
	s.cmd = sandbox.Command(ctx, program,
		append([]string{"serve", "--data", s.data(), "--listen", "127.0.0.1:0", "--log-format", "json"}, args...)...)
	said, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err = sandbox.Start(s.cmd, sandbox.Limits{Access: sandbox.Access{Trusted: true}}); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.PID = s.cmd.Process.Pid
	lines := bufio.NewReader(said)
	if s.Base, err = awaitAddress(lines); err != nil {
		return nil, err
	}
	go io.Copy(io.Discard, lines)                                 // ends when the server exits
	if s.Token, err = s.say(ctx, "token", "create"); err != nil { // the first start of a server creates its database
		return nil, err
	}
	return s, nil
}

func (s *Server) data() string { return filepath.Join(s.Dir, "data") }

// Account creates an account and returns a token for it.
func (s *Server) Account(ctx context.Context, name string) (token string, err error) {
	if _, err := s.say(ctx, "account", "create", name); err != nil {
		return "", err
	}
	return s.say(ctx, "token", "create", "--account", name)
}

// say runs a command of the program on the server's data and returns its output.
func (s *Server) say(ctx context.Context, args ...string) (string, error) {
	cmd := sandbox.Command(ctx, s.program, append(args, "--data", s.data())...)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, os.Stderr
	if err := sandbox.Run(cmd, sandbox.Limits{Access: sandbox.Access{Trusted: true}}); err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(said.String()), nil
}

// awaitAddress reads log lines until the one with the address of the server.
func awaitAddress(r *bufio.Reader) (string, error) {
	var last string
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", errors.New("the server did not start: " + last)
		}
		last = strings.TrimSpace(line)
		var said struct {
			Message string `json:"msg"`
			Address string `json:"address"`
		}
		if json.Unmarshal([]byte(line), &said) == nil && said.Address != "" {
			return said.Address, nil
		}
	}
}

// Close kills the server and removes its data.
func (s *Server) Close() {
	if s.cmd != nil && s.cmd.Process != nil {
		s.cmd.Cancel()
		sandbox.Wait(s.cmd)
	}
	os.RemoveAll(s.Dir)
}
