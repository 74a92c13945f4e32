package pgtest

import "syscall"

// attributes makes a process run as another user and end with the thread that started it. SIGQUIT is PostgreSQL's
// immediate shutdown, which also ends its children.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: as, Pdeathsig: syscall.SIGQUIT}
}
