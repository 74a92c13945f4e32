package sandbox

import (
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// apply sets the limits of a running process. For a process that has ended, it does nothing.
func (l Limits) apply(pid int) error {
	for _, err := range []error{
		l.nice(pid),
		limit(pid, unix.RLIMIT_CORE, 0, 0), // memory with speech in it must not be written to disk
		bound(pid, unix.RLIMIT_DATA, l.Memory),
		bound(pid, unix.RLIMIT_FSIZE, l.FileSize),
		l.processor(pid),
	} {
		if err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}

func (l Limits) nice(pid int) error {
	if l.Nice == 0 {
		return nil
	}
	now, err := unix.Getpriority(unix.PRIO_PROCESS, pid)
	if err != nil {
		return err
	}
	return unix.Setpriority(unix.PRIO_PROCESS, pid, min(20-now+l.Nice, 19)) // getpriority returns 20 − niceness
}

func (l Limits) processor(pid int) error {
	if l.CPU == 0 {
		return nil
	}
	seconds := uint64((l.CPU + time.Second - 1) / time.Second)
	return limit(pid, unix.RLIMIT_CPU, seconds, seconds+5)
}

func bound(pid, resource int, value uint64) error {
	if value == 0 {
		return nil
	}
	return limit(pid, resource, value, value)
}

func limit(pid, resource int, soft, hard uint64) error {
	return unix.Prlimit(pid, resource, &unix.Rlimit{Cur: soft, Max: hard}, nil)
}

// awaitExit waits until a child has ended, without reaping it; it returns false if that is not supported.
func awaitExit(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}

// spawner runs functions on the one thread that starts children: the kernel sends Pdeathsig when the thread that forked
// ends, and Go may end any thread except one that a goroutine has locked permanently.
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
