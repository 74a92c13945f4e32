//go:build unix && !linux

package pgtest

import "syscall"

// attributes make a process run as another user. Here it may outlive a test binary that is killed.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: as}
}
