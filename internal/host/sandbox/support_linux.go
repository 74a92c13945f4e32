package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// Supported determines what the kernel supports.
func Supported() Support {
	s := Support{Landlock: landlockVersion()}
	// if filters are supported, this call without a filter fails with EFAULT
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, 0)
	s.Seccomp = errno == unix.EFAULT
	s.Root = os.Geteuid() == 0 && !canBecome()
	return s
}

// canBecome reports whether root may change its identity: containers can deny that.
func canBecome() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&header, &data[0]) != nil {
		return false
	}
	const need = 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID
	return data[0].Effective&need == need
}
