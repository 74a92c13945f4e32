package s3test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/testkit/freeport"
)

// Process is a real S3 server that stores its objects on disk.
type Process struct {
	*os.Process
	Address string // host:port
}

// Start runs a real S3 server until the test ends, as a process that can be stopped and continued. Its bucket is called
// calls. It is compiled at the first use on a machine, and kept in the user's cache folder.
func Start(t testing.TB, log io.Writer) *Process {
	t.Helper()
	program, err := program()
	if err != nil {
		t.Fatal(err)
	}
	Credentials(t)
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "calls"), 0o700); err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort(freeport.Quiet, freeport.On(t, freeport.Quiet))
	command := exec.Command(program, folder, address)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		command.Process.Kill()
		<-ended
	})
	if err := answers(t.Context(), address, ended); err != nil {
		t.Fatal(err)
	}
	return &Process{command.Process, address}
}

// URL returns the address of a place in the bucket for a server that reaches the process at host:port.
func URL(hostPort string) string {
	return "s3://calls/parley?region=us-east-1&path_style=true&endpoint=http://" + hostPort
}

// answers waits until the server accepts connections.
func answers(ctx context.Context, address string, ended <-chan struct{}) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(time.Minute); ; {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return c.Close()
		}
		select {
		case <-tick.C:
		case <-ended:
			return fmt.Errorf("the S3 server ended at its start")
		case <-ctx.Done():
			return ctx.Err()
		case <-limit:
			return err
		}
	}
}

// program returns the path of the S3 server's program, which it builds if the cache lacks this version.
var program = sync.OnceValues(func() (string, error) {
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(filepath.Dir(strings.TrimSpace(string(module))), "internal", "testkit", "s3test", "server")
	version := sha256.New()
	for _, name := range []string{"go.mod", "go.sum", "main.go"} {
		content, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", err
		}
		version.Write(content)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "parley-test", fmt.Sprintf("s3-%.8x", version.Sum(nil)))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, compile(source, path)
})

// compile builds the program in a folder. The path gets a complete program at once, whoever else builds it.
func compile(source, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unfinished := fmt.Sprintf("%s-%d", path, os.Getpid())
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", unfinished, ".")
	build.Dir = source
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "PWD="+source)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the S3 server: %w\n%s", err, out)
	}
	return os.Rename(unfinished, path)
}
