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

	"parley/internal/child"
)

// Server is a server that a measurement has to itself: a child process on loopback, over a new data directory.
type Server struct {
	Base  string // its address
	Token string
	Dir   string // the folder that holds its data directory and nothing else
	PID   int
	cmd   *exec.Cmd
}

// StartServer starts program, which is parley itself, with "serve" and further arguments over a temporary data
// directory below dir. Close it.
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
	data := filepath.Join(s.Dir, "data")
	if s.Token, err = createToken(ctx, program, data); err != nil {
		return nil, err
	}
	s.cmd = child.Command(ctx, program, append([]string{"serve", "--data", data, "--listen", "127.0.0.1:0", "--log-format", "json"}, args...)...)
	said, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err = child.Start(s.cmd, child.Limits{}); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.PID = s.cmd.Process.Pid
	lines := bufio.NewReader(said)
	if s.Base, err = awaitAddress(lines); err != nil {
		return nil, err
	}
	go io.Copy(io.Discard, lines) // ends with the server
	return s, nil
}

func createToken(ctx context.Context, program, data string) (string, error) {
	cmd := child.Command(ctx, program, "token", "create", "--data", data)
	var token strings.Builder
	cmd.Stdout, cmd.Stderr = &token, os.Stderr
	if err := child.Run(cmd, child.Limits{}); err != nil {
		return "", fmt.Errorf("create a token: %w", err)
	}
	return strings.TrimSpace(token.String()), nil
}

// awaitAddress reads log lines up to the one that says where the server listens.
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

// Close ends the server at once and removes its data.
func (s *Server) Close() {
	if s.cmd != nil && s.cmd.Process != nil {
		s.cmd.Cancel()
		child.Wait(s.cmd)
	}
	os.RemoveAll(s.Dir)
}
