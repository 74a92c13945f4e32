//go:build linux

// Package child starts subprocesses that cannot harm the server: no shell, limits on memory, processor
// time and file size, lower priority, and death together with the parent.
//
// It does not know what the programs do; packages audio and asr do.
package child

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Limits bound what a child may use. Zero values mean no limit.
type Limits struct {
	Memory   uint64        // bytes of private writable memory (RLIMIT_DATA)
	CPU      time.Duration // processor time, whole seconds
	FileSize uint64        // bytes of the largest file it may write
	Nice     int           // added to the niceness, so that the API stays quick
}

// Command returns a command whose process group is killed when ctx ends. Start it with Start, not with
// cmd.Start, which would know nothing of limits.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// Start starts cmd with limits. The limits are set in the instant after the start; none of them is missed
// by a longer-lived child, since processor time counts from the start and memory limits bind later requests.
func Start(cmd *exec.Cmd, limits Limits) error {
	if err := onSpawner(cmd.Start); err != nil {
		return err
	}
	if err := limits.apply(cmd.Process.Pid); err != nil {
		cmd.Cancel()
		cmd.Wait()
		return fmt.Errorf("limit child %d: %w", cmd.Process.Pid, err)
	}
	return nil
}

// Run starts cmd with limits and waits for it.
func Run(cmd *exec.Cmd, limits Limits) error {
	if err := Start(cmd, limits); err != nil {
		return err
	}
	return cmd.Wait()
}

func (l Limits) apply(pid int) error {
	set := func(resource int, value uint64) error {
		if value == 0 {
			return nil
		}
		return unix.Prlimit(pid, resource, &unix.Rlimit{Cur: value, Max: value}, nil)
	}
	if l.Nice != 0 {
		if err := unix.Setpriority(unix.PRIO_PROCESS, pid, l.Nice); err != nil && err != unix.ESRCH {
			return err
		}
	}
	for _, err := range []error{
		set(unix.RLIMIT_DATA, l.Memory),
		set(unix.RLIMIT_CPU, uint64((l.CPU+time.Second-1)/time.Second)),
		set(unix.RLIMIT_FSIZE, l.FileSize),
	} {
		if err != nil && err != unix.ESRCH { // ESRCH: it has already ended
			return err
		}
	}
	return nil
}

// spawner is the one thread that starts children: the kernel sends Pdeathsig when the thread that
// forked ends, and Go ends threads as it likes, but not one that a goroutine has locked for good.
var spawner = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

func onSpawner(f func() error) error {
	done := make(chan error, 1)
	spawner() <- func() { done <- f() }
	return <-done
}
