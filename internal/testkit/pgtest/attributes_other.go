//go:build unix && !linux

package pgtest

import "syscall"

// attributes makes a process run as another user. On this system it may outlive a test binary that is killed.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: as}
}
