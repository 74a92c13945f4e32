//go:build unix

package sandbox

// Support describes the available means to confine children.
type Support struct {
	Landlock int  // version of the kernel's interface; 0: not available
	Seccomp  bool // system call filters
	Root     bool // this process is root and cannot become another user
}

// Gaps lists what is missing and what children can do as a result; if it is empty, they are confined.
func (s Support) Gaps() (gaps []string) {
	if s.Landlock == 0 {
		gaps = append(gaps, "Landlock: they can read every file that their user can read")
	}
	if !s.Seccomp {
		gaps = append(gaps, "seccomp: they can open sockets and start programs")
	}
	if s.Root {
		gaps = append(gaps, "permission to switch to another user: they run as root")
	}
	return gaps
}
