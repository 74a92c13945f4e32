//go:build unix

package sandbox

// Support is what there is to confine children with.
type Support struct {
	Landlock int  // version of the kernel's interface; 0: none
	Seccomp  bool // filters of system calls
	Root     bool // this process is root, and may not become another user
}

// Gaps says what is lacking and what children can do for want of it; none: they are confined.
func (s Support) Gaps() (gaps []string) {
	if s.Landlock == 0 {
		gaps = append(gaps, "Landlock: they can read every file that their user can read")
	}
	if !s.Seccomp {
		gaps = append(gaps, "seccomp: they can open sockets and start programs")
	}
	if s.Root {
		gaps = append(gaps, "the right to become another user: they are root")
	}
	return gaps
}
