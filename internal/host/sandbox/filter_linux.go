package sandbox

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denied are system calls that no decoder or recogniser needs. The filter is a deny list, because third-party programs
// with changing libraries run under it, and Landlock, the user and the limits are further layers. The list includes
// calls that Landlock does not cover: owners, modes, times and attributes of files.
var denied = []string{
	// the network, and access to other processes through sockets
	"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "socketcall",
	// other processes
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_getfd", "kcmp",
	"tkill", "setpgid", "setsid", "ioprio_set", "migrate_pages", "move_pages", "setns", "unshare",
	"shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv", "msgctl",
	"mq_open", "mq_unlink", "memfd_create", "memfd_secret",
	// the file system, where Landlock has no control
	"mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "open_tree_attr", "fsopen",
	"fsconfig",
	"fsmount", "fspick", "mount_setattr", "statmount", "listmount", "swapon", "swapoff", "quotactl", "quotactl_fd",
	"acct",
	"name_to_handle_at", "open_by_handle_at", "fanotify_init", "fanotify_mark", "truncate", "truncate64",
	"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "chown32", "lchown", "lchown32", "fchown", "fchown32",
	"fchownat",
	"utime", "utimes", "futimesat", "utimensat", "utimensat_time64", "mknod", "mknodat",
	"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat",
	// the kernel and the machine
	"bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "kexec_load", "kexec_file_load",
	"init_module", "finit_module", "delete_module", "reboot", "syslog", "settimeofday", "clock_settime",
	"clock_settime64",
	"adjtimex", "clock_adjtime", "clock_adjtime64", "stime", "sethostname", "setdomainname", "ioperm", "iopl",
	"modify_ldt",
	"vm86", "vm86old", "personality", "lookup_dcookie", "vhangup", "nfsservctl", "uselib", "ustat", "sysfs",
}

// starting are calls that start and observe other programs.
var starting = []string{"fork", "vfork", "execve", "pidfd_open", "pidfd_send_signal"}

// missing are calls for which programs have a fallback if the kernel does not support them.
var missing = []string{"io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "openat2"}

// newNamespaces are the flags of clone that make namespaces.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID |
	unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP

const (
	notPermitted   = seccomp.ActionErrno | seccomp.Action(unix.EPERM)
	notImplemented = seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)
)

// filter builds the system call filter. It permits only the execution of descriptor slot, unless the child may start
// programs; Landlock then restricts which.
func (o *order) filter(slot int) ([]unix.SockFilter, error) {
	native, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	instructions, err := policy(native, os.Getpid(), slot, len(o.Limits.Access.Start) > 0)
	if err != nil {
		return nil, err
	}
	raw, err := bpf.Assemble(instructions)
	if err != nil {
		return nil, err
	}
	program := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		program[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return program, nil
}

// install installs the filter on this thread.
func install(program []unix.SockFilter) error {
	whole := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&whole)))
	if errno != 0 && errno != unix.ENOSYS && errno != unix.EINVAL { // a kernel without seccomp filters
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// policy returns the filter program. The library would permit calls of other architectures, such as those of 32-bit
// programs: here they kill the process. Calls newer than the library's table fail as on a kernel that does not have
// them.
func policy(native *arch.Info, pid, slot int, starts bool) ([]bpf.Instruction, error) {
	names := denied
	if !starts {
		names = slices.Concat(denied, starting)
	}
	unknown := func(name string) bool {
		_, ok := native.SyscallNames[name]
		return !ok
	}
	known := func(names []string) []string { return slices.DeleteFunc(slices.Clone(names), unknown) }
	conditional := slices.DeleteFunc(conditions(pid, slot, starts),
		func(c seccomp.NameWithConditions) bool { return unknown(c.Name) })
	p := seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{
		{Names: known(names), Action: notPermitted},
		{NamesWithCondtions: conditional, Action: notPermitted},
		{Names: known(missing), Action: notImplemented},
	}}
	listed, err := p.Assemble()
	if err != nil {
		return nil, err
	}
	newest := slices.Max(slices.Collect(maps.Keys(native.SyscallNumbers)))
	const numberOffset, archOffset = 0, 4 // in struct seccomp_data
	return append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: archOffset, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(native.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(seccomp.ActionKillProcess)},
		bpf.LoadAbsolute{Off: numberOffset, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: uint32(newest), SkipFalse: 1},
		bpf.RetConstant{Val: uint32(notImplemented)},
	}, listed...), nil
}

// conditions are the calls that are denied depending on their arguments. Arguments that the kernel reads as 32 bits are
// compared so that the upper half cannot bypass the check.
func conditions(pid, slot int, starts bool) []seccomp.NameWithConditions {
	when := func(name string, all ...seccomp.Condition) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: name, Conditions: all}
	}
	arg := func(n uint32, op seccomp.Operation, value int) seccomp.Condition {
		return seccomp.Condition{Argument: n, Operation: op, Value: uint64(value)}
	}
	list := []seccomp.NameWithConditions{
		when("clone", arg(0, seccomp.BitsSet, newNamespaces)),
		when("prctl", is(0, unix.PR_SET_PDEATHSIG)...), // it must die with the server
		when("setpriority", arg(0, seccomp.NotEqual, unix.PRIO_PROCESS)),
		when("setpriority", arg(1, seccomp.NotEqual, 0), arg(1, seccomp.NotEqual, pid)),
		// opening a readable file must not truncate it, which Landlock allows before its version 3
		when("open", arg(1, seccomp.BitsSet, unix.O_TRUNC), arg(1, seccomp.BitsNotSet, unix.O_ACCMODE)),
		when("openat", arg(2, seccomp.BitsSet, unix.O_TRUNC), arg(2, seccomp.BitsNotSet, unix.O_ACCMODE)),
	}
	// a descriptor can signal its owner when it becomes readable: the kernel would send signals on behalf of the child
	for _, command := range []uint32{unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG} {
		list = append(list, when("fcntl", is(1, command)...))
	}
	for _, request := range []uint32{setOwner, setGroup} {
		list = append(list, when("ioctl", is(1, request)...))
	}
	for _, name := range []string{
		"prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
	} {
		list = append(list, when(name, arg(0, seccomp.NotEqual, 0), arg(0, seccomp.NotEqual, pid)))
	}
	if starts { // it signals its own children by number; Landlock version 6 protects the server's processes
		return list
	}
	for _, name := range []string{"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"} {
		list = append(list, when(name, arg(0, seccomp.NotEqual, pid)))
	}
	return append(list,
		when("clone", arg(0, seccomp.BitsNotSet, unix.CLONE_THREAD)),
		when("execveat", arg(0, seccomp.NotEqual, slot)),
		when("execveat", arg(4, seccomp.NotEqual, unix.AT_EMPTY_PATH)),
	)
}

// ioctl requests that set the process which a descriptor signals: FIOSETOWN and SIOCSPGRP of asm-generic/sockios.h.
const (
	setOwner = 0x8901
	setGroup = 0x8902
)

// is compares the lower half of an argument with a value bit by bit: the kernel reads only that half, and some programs
// sign-extend a request into the upper half.
func is(n uint32, value uint32) []seccomp.Condition {
	all := []seccomp.Condition{{Argument: n, Operation: seccomp.BitsNotSet, Value: uint64(^value)}}
	for rest := value; rest != 0; rest &= rest - 1 {
		all = append(all, seccomp.Condition{Argument: n, Operation: seccomp.BitsSet, Value: uint64(rest & -rest)})
	}
	return all
}
