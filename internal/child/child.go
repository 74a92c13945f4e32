//go:build unix

// Package child starts subprocesses that cannot harm the server: no shell, limits on memory, processor
// time and file size, lower priority, none of the server's secrets in the environment, and death together
// with the parent.
//
// It does not know what the programs do; packages audio and asr do. On systems other than Linux the limits
// and the death with the parent are missing: good enough to develop on, not to serve on.
package child

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
}

// inherited are the variables of the server's environment that a child gets. Tokens, database addresses and
// cloud credentials are not among them.
var inherited = []string{"PATH", "HOME", "TMPDIR", "LANG", "TZ", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS"}

// Command returns a command in its own process group, which is killed when ctx ends; its environment is
// reduced to what programs need to run (append to cmd.Env for more). Start it with Start, not with cmd.Start,
// which would know nothing of limits.
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

// Start starts cmd with limits. They are set in the instant after the start, while the program is being
// loaded: processor time counts from the start, a memory limit refuses the first request after it is set, and
// threads and processes made later inherit all of them. Only a process that the program forks within that
// instant goes without; it still dies with the group.
func Start(cmd *exec.Cmd, limits Limits) error {
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

// Wait waits for a started child as cmd.Wait does, and kills what it left behind in its process group.
func Wait(cmd *exec.Cmd) error {
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
