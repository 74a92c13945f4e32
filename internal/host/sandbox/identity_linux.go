package sandbox

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ours checks that only this user can change a folder in a location where every user may create folders.
func ours(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s must be a folder that only this user owns and can write to; remove it", path)
	}
	return nil
}

// step changes root to nobody without capabilities, except one: a child that is given files by name may read them
// whatever their owner. Landlock restricts it to these files. If the kernel has no such user, or root may not change
// its identity, as in some containers, the process stays root but drops its capabilities.
func (o *order) step(t *target) error {
	err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	if err != nil && err != unix.EINVAL {
		return fmt.Errorf("ambient capabilities: %w", err)
	}
	if o.User == nil {
		return nil
	}
	reads := len(o.Limits.Access.Read)+len(t.places)+len(t.script) > 0
	if reads {
		if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("keep capabilities: %w", err)
		}
	}
	err = o.User.become()
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EINVAL) {
		for c := range unix.CAP_LAST_CAP + 1 { // otherwise root would regain them when it executes a program
			unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
		}
		return capabilities(0)
	}
	if err != nil || !reads {
		return err
	}
	return keepReading()
}

// keepReading keeps one capability to read files of other users: preferably the narrower of two, which root in a
// container often lacks. Without either, the child can read only world-readable files.
func keepReading() error {
	for _, read := range []uintptr{unix.CAP_DAC_READ_SEARCH, unix.CAP_DAC_OVERRIDE} {
		if capabilities(1<<read) != nil {
			continue
		}
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, read, 0, 0); err != nil {
			return fmt.Errorf("capability to read: %w", err)
		}
		return nil
	}
	return capabilities(0)
}

// become changes the identity of this thread.
func (w *owner) become() error {
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return fmt.Errorf("setgroups: %w", errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, uintptr(w.GID), uintptr(w.GID), uintptr(w.GID)); errno != 0 {
		return fmt.Errorf("setresgid: %w", errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(w.UID), uintptr(w.UID), uintptr(w.UID)); errno != 0 {
		return fmt.Errorf("setresuid: %w", errno)
	}
	return nil
}

// capabilities sets the capabilities of this thread.
func capabilities(set uint64) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	for i := range data {
		part := uint32(set >> (32 * i))
		data[i] = unix.CapUserData{Effective: part, Permitted: part, Inheritable: part}
	}
	if err := unix.Capset(&header, &data[0]); err != nil {
		return fmt.Errorf("capset: %w", err)
	}
	return nil
}
