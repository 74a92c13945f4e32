// Package sandboxtest runs the tests of packages that start sandboxed children.
package sandboxtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parley/internal/host/sandbox"
)

// Main runs the tests, with a small separate program that sandboxes the children they start, and exits.
func Main(m *testing.M) { os.Exit(Run(m)) }

// Run is Main for packages that clean up after their tests: it returns the exit code.
func Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "parley-launcher-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // children of root run as another user
		panic(err)
	}
	launcher := filepath.Join(dir, "launcher")
	build := exec.Command("go", "build", "-o", launcher, "parley/internal/testkit/sandboxtest/launcher")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build the launcher of children: %v\n%s", err, said))
	}
	sandbox.MainBy(launcher)
	return m.Run()
}
