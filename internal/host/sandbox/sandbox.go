//go:build unix

// Package sandbox starts subprocesses that cannot harm the server: no shell, limits on memory, processor
// time, files and threads, lower priority, none of the server's secrets in the environment, and death together
// with the parent. On Linux a child is also confined: it opens no socket, starts no other program, signals no other
// process, is not root, and reaches the files that Access names and the libraries of the system alone.
//
// It does not know what the programs do; packages audio and asr do. On systems other than Linux the limits, the
// confinement and the death with the parent are missing: good enough to develop on, not to serve on.
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
	CPU      time.Duration // processor time, whole seconds: SIGXCPU there, SIGKILL 5 s later
	FileSize uint64        // bytes of the largest file it may write; pipes are not meant
	Nice     int           // added to the niceness, so that the API stays quick
	Access   Access        // what it may reach
}

// Access is what a child may reach besides its program, the libraries and data of the system (/usr/lib, /usr/share),
// and the open files that it is handed. The zero value is the narrowest.
type Access struct {
	Read    []string // files and folders that it may read
	Start   []string // programs that it may start, by name or path; without any it starts nothing and does not fork
	Scratch bool     // a folder of its own, which TMPDIR and HOME name; it goes with the child
	Trusted bool     // not confined at all: for servers in tests and benchmarks, and programs that the operator trusts
}

// inherited are the variables of the server's environment that a child gets. Tokens, database addresses and
// cloud credentials are not among them.
var inherited = []string{"PATH", "HOME", "TMPDIR", "LANG", "TZ", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES",
	"OMP_NUM_THREADS"}

// Command returns a command in its own process group, which is killed when ctx ends; its environment is
// reduced to what programs need to run (append to cmd.Env for more). Start it with Start, not with cmd.Start,
// which would know nothing of limits, and wait for it with Wait.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = environment()
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

func environment() []string {
	env := []string{} // not nil, which would mean all of the server's
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Start starts cmd with limits. A confined child is this program once more, which sets the limits, confines itself
// and then becomes cmd (see Main); an error says why it could not. A trusted child gets its limits in the instant after
// its start, while the program is being loaded.
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

// Wait waits for a started child as cmd.Wait does, kills what it left behind in its process group, and removes its
// scratch folder.
func Wait(cmd *exec.Cmd) error {
	defer removeScratch(cmd)
	if awaitExit(cmd.Process.Pid) {
		killGroup(cmd.Process.Pid) // not reaped, so its number cannot have been given away yet
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

// killGroup kills a process group. That it has already ended is os.ErrProcessDone.
func killGroup(pid int) error {
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
