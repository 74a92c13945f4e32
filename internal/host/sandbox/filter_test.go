//go:build linux

package sandbox

import (
	"encoding/binary"
	"runtime"
	"testing"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// judge runs the filter on a call. The virtual machine reads words in big-endian order.
func judge(t *testing.T, starts bool, id arch.AuditArch, number int, args ...uint64) seccomp.Action {
	t.Helper()
	instructions, err := policy(arch.X86_64, 77, mostFiles, starts)
	if err != nil {
		t.Fatal(err)
	}
	vm, err := bpf.NewVM(instructions)
	if err != nil {
		t.Fatal(err)
	}
	call := make([]byte, 64)
	binary.BigEndian.PutUint32(call, uint32(number))
	binary.BigEndian.PutUint32(call[4:], uint32(id))
	for i, a := range args {
		binary.BigEndian.PutUint32(call[16+8*i:], uint32(a))
		binary.BigEndian.PutUint32(call[20+8*i:], uint32(a>>32))
	}
	answer, err := vm.Run(call)
	if err != nil {
		t.Fatal(err)
	}
	return seccomp.Action(uint32(answer))
}

func TestTheFilterCannotBeCircumvented(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the numbers are those of amd64")
	}
	const hidden = 1 << 40 // in the upper half of an argument, which the kernel does not read
	native := arch.X86_64
	for _, c := range []struct {
		name   string
		args   []uint64
		want   seccomp.Action
		starts seccomp.Action // if the child may start programs; 0: the same
	}{
		{"read", nil, seccomp.ActionAllow, 0},
		{"socket", []uint64{unix.AF_INET}, notPermitted, 0},
		{"socketpair", nil, notPermitted, 0},
		{"clone3", nil, notImplemented, 0},
		{"clone", []uint64{unix.CLONE_VM | unix.CLONE_THREAD}, seccomp.ActionAllow, 0},
		{"clone", []uint64{unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_NEWUSER}, notPermitted, 0},
		{"clone", []uint64{uint64(unix.SIGCHLD)}, notPermitted, seccomp.ActionAllow},
		{"fork", nil, notPermitted, seccomp.ActionAllow},
		{"execve", nil, notPermitted, seccomp.ActionAllow},
		{"execveat", []uint64{mostFiles, 1, 1, 1, unix.AT_EMPTY_PATH}, seccomp.ActionAllow, 0},
		{"execveat", []uint64{mostFiles, 1, 1, 1, 0}, notPermitted, seccomp.ActionAllow},
		{"execveat", []uint64{3, 1, 1, 1, unix.AT_EMPTY_PATH}, notPermitted, seccomp.ActionAllow},
		{"kill", []uint64{77}, seccomp.ActionAllow, 0},
		{"kill", []uint64{78}, notPermitted, seccomp.ActionAllow},
		{"kill", []uint64{1<<32 - 1}, notPermitted, seccomp.ActionAllow},
		{"prctl", []uint64{unix.PR_SET_NAME}, seccomp.ActionAllow, 0},
		{"prctl", []uint64{unix.PR_SET_PDEATHSIG}, notPermitted, 0},
		{"prctl", []uint64{unix.PR_SET_PDEATHSIG | hidden}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETOWN}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETOWN | hidden}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETOWN_EX}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETOWN_EX | hidden}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETSIG}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETSIG | hidden}, notPermitted, 0},
		{"fcntl", []uint64{0, unix.F_SETFL, unix.O_NONBLOCK}, seccomp.ActionAllow, 0},
		{"fcntl", []uint64{0, unix.F_GETOWN}, seccomp.ActionAllow, 0},
		{"fcntl", []uint64{0, unix.F_GETSIG}, seccomp.ActionAllow, 0},
		{"fcntl", []uint64{unix.F_SETOWN, unix.F_SETFD}, seccomp.ActionAllow, 0},
		{"fcntl", []uint64{0, unix.F_DUPFD_CLOEXEC}, seccomp.ActionAllow, 0},
		{"ioctl", []uint64{0, setOwner}, notPermitted, 0},
		{"ioctl", []uint64{0, setGroup}, notPermitted, 0},
		{"ioctl", []uint64{0, setOwner | hidden}, notPermitted, 0},
		{"ioctl", []uint64{0, 0xffffffff<<32 | setGroup}, notPermitted, 0},
		{"ioctl", []uint64{0, setOwner | setGroup}, seccomp.ActionAllow, 0},
		{"ioctl", []uint64{0, 0x8904}, seccomp.ActionAllow, 0}, // SIOCGPGRP
		{"ioctl", []uint64{0, unix.TCGETS}, seccomp.ActionAllow, 0},
		{"ioctl", []uint64{0, 0xffffffff<<32 | unix.TIOCGPTN}, seccomp.ActionAllow, 0}, // as musl passes it
		{"prlimit64", []uint64{0}, seccomp.ActionAllow, 0},
		{"prlimit64", []uint64{78}, notPermitted, 0},
		{"prlimit64", []uint64{78 | hidden}, notPermitted, 0},
		{"openat", []uint64{0, 1, unix.O_RDONLY}, seccomp.ActionAllow, 0},
		{"openat", []uint64{0, 1, unix.O_RDONLY | unix.O_TRUNC}, notPermitted, 0},
		{"openat", []uint64{0, 1, unix.O_RDONLY | unix.O_TRUNC | hidden}, notPermitted, 0},
		{"openat", []uint64{0, 1, unix.O_WRONLY | unix.O_TRUNC}, seccomp.ActionAllow, 0},
	} {
		number := native.SyscallNames[c.name]
		if got := judge(t, false, native.ID, number, c.args...); got != c.want {
			t.Errorf("%s %x: %v, want %v", c.name, c.args, got, c.want)
		}
		if c.starts == 0 {
			c.starts = c.want
		}
		if got := judge(t, true, native.ID, number, c.args...); got != c.starts {
			t.Errorf("%s %x of a child that may start programs: %v, want %v", c.name, c.args, got, c.starts)
		}
	}
	for _, number := range []int{0, native.SyscallNames["socket"], 359} { // 359 is socket for 32-bit programs
		if got := judge(t, false, arch.I386.ID, number); got != seccomp.ActionKillProcess {
			t.Errorf("call %d of another architecture: %v", number, got)
		}
	}
	for _, number := range []int{native.SyscallNames["socket"] | arch.X32.SeccompMask, 1 << 20} {
		if got := judge(t, false, native.ID, number); got != notImplemented {
			t.Errorf("call %#x: %v", number, got)
		}
	}
}

// The filter omits calls that an architecture does not have; the important ones must exist on all architectures.
func TestTheCallsThatMatterAreKnownOnEveryArchitecture(t *testing.T) {
	for _, native := range []*arch.Info{arch.X86_64, arch.AARCH64} {
		for _, name := range []string{"socket", "connect", "ptrace", "bpf", "io_uring_setup", "fchmodat2", "setxattrat",
			"execve", "execveat"} {
			if _, ok := native.SyscallNames[name]; !ok {
				t.Errorf("%s has no %s", native.Name, name)
			}
		}
	}
}
