//go:build unix

// Package sandbox starts subprocesses that cannot harm the server: no shell, limits on memory, processor time, files
// and threads, lower priority, no server secrets in the environment, and termination together with the parent. On Linux
// a child is also confined: it opens no sockets, starts no other programs, signals no other processes, is not root, and
// can access only the files that Access names and the system's libraries.
//
// It does not know what the programs do; packages audio and asr do. On systems other than Linux, the limits, the
// confinement and the termination with the parent are missing: sufficient for development, not for production.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Limits bound what a child may use. Zero values mean no limit.
type Limits struct {
	Memory   uint64        // bytes of private writable memory (RLIMIT_DATA)
	CPU      time.Duration // processor time, whole seconds: SIGXCPU at the limit, SIGKILL 5 s later
	FileSize uint64        // bytes of the largest file it may write; does not apply to pipes
	Nice     int           // added to the niceness, so that the API stays responsive
	Access   Access        // what it may access
}

// Access is what a child may access in addition to its program, the system's libraries and data (/usr/lib, /usr/share),
// and the open files that are passed to it. The zero value is the most restrictive.
type Access struct {
	Read    []string // files and folders that it may read
	Start   []string // programs that it may start, by name or path; if empty, it can neither start programs nor fork
	Scratch bool     // a private folder, set as TMPDIR and HOME; removed when the child ends
	Trusted bool     // not confined at all: for servers in tests and benchmarks, and programs that the operator trusts
}

// inherited are the server's environment variables that are passed to a child. They do not include tokens, database
// URLs or cloud credentials.
var inherited = []string{"PATH", "HOME", "TMPDIR", "LANG", "TZ", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES",
	"OMP_NUM_THREADS"}

// Command returns a command in its own process group, which is killed when ctx ends. Its environment is reduced to what
// programs need to run (append to cmd.Env for more). Start it with Start, because cmd.Start would not apply limits, and
// wait for it with Wait.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = environment()
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

func environment() []string {
	env := []string{} // not nil, which would mean the server's environment
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Start starts cmd with limits. For a confined child, it starts this program again, which sets the limits, confines
// itself and then becomes cmd (see Main); an error says why that failed. A trusted child gets its limits just after its
// start, while the program is being loaded.
func Start(cmd *exec.Cmd, limits Limits) error {
	if !limits.Access.Trusted {
		return startConfined(cmd, limits)
	}
	if err := onSpawner(cmd.Start); err != nil {
		return err
	}
	if err := limits.apply(cmd.Process.Pid); err != nil {
		killGroup(cmd.Process.Pid)
		cmd.Wait()
		return fmt.Errorf("limit child %d: %w", cmd.Process.Pid, err)
	}
	return nil
}

// Wait waits for a started child as cmd.Wait does, kills the remaining processes of its process group, and removes its
// scratch folder.
func Wait(cmd *exec.Cmd) error {
	defer removeScratch(cmd)
	if awaitExit(cmd.Process.Pid) {
		killGroup(cmd.Process.Pid) // the child is not reaped yet, so its number cannot have been reused
		return cmd.Wait()
	}
	defer killGroup(cmd.Process.Pid)
	return cmd.Wait()
}

// Run starts cmd with limits and waits for it.
func Run(cmd *exec.Cmd, limits Limits) error {
	if err := Start(cmd, limits); err != nil {
		return err
	}
	return Wait(cmd)
}

// killGroup kills a process group. The error is os.ErrProcessDone if it has already ended.
func killGroup(pid int) error {
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
