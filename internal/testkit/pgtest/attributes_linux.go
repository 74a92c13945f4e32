package pgtest

import "syscall"

// attributes make a process run as another user and end with the thread that started it: SIGQUIT is PostgreSQL's
// immediate shutdown, which takes its children along.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: as, Pdeathsig: syscall.SIGQUIT}
}
