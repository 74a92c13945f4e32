//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The test binary is also the launcher and the hostile program.
func TestMain(m *testing.M) {
	Main()
	if len(os.Args) > 2 && os.Args[1] == "hostile" {
		attack(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// prey lists the targets of a hostile child.
type prey struct {
	Server                  int    // process
	Database, Key, Readable string // files
	Folder                  string // that the server may write to
	Alone                   bool   // other processes are skipped, since nothing protects them
}

// attack tries every probe and prints the ones that succeeded.
func attack(told string) {
	var p prey
	if err := json.Unmarshal([]byte(told), &p); err != nil {
		panic(err)
	}
	for _, probe := range probes {
		if p.Alone && probe.reaches {
			continue
		}
		if err := probe.try(&p); err == nil {
			fmt.Println(probe.name)
		}
	}
	for _, may := range permitted {
		if err := may.try(&p); err != nil && !p.Alone {
			fmt.Printf("refused to %s: %v\n", may.name, err)
		}
	}
	fmt.Println("over")
}

// probe is one action that a hostile child tries.
type probe struct {
	name    string
	try     func(p *prey) error
	reaches bool // affects other processes, or the child's identity: skipped where nothing protects them
}

// permitted are actions that every child may perform.
var permitted = []probe{
	{name: "write to its scratch folder", try: func(*prey) error {
		return os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "own"), []byte("x"), 0o600)
	}},
	{name: "read its file", try: func(p *prey) error { return holds(p.Readable) }},
	{name: "read the file it was handed", try: func(*prey) error { return holds("/dev/fd/3") }},
	{name: "wait for no descriptor", try: func(*prey) error { return control(0, unix.F_SETFL, unix.O_NONBLOCK) }},
	{name: "read the flags of a descriptor", try: func(*prey) error { return control(0, unix.F_GETFL, 0) }},
	{name: "close a descriptor on exec", try: func(*prey) error { return control(3, unix.F_SETFD, unix.FD_CLOEXEC) }},
	{name: "copy a descriptor", try: func(*prey) error { return control(3, unix.F_DUPFD_CLOEXEC, 0) }},
	{name: "ask how much there is to read", try: func(*prey) error {
		_, err := unix.IoctlGetInt(3, unix.TIOCINQ)
		return err
	}},
}

// probes are actions that no child may perform.
var probes = slices.Concat(sockets(), []probe{
	{name: "socketpair", try: func(*prey) error {
		_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		return err
	}},

	{name: "read the database", try: func(p *prey) error { return list(p.Database) }},
	{name: "read the key", try: func(p *prey) error { return list(p.Key) }},
	{name: "read a shell", try: func(*prey) error { return list("/bin/sh") }},
	{name: "read users", try: func(*prey) error { return list("/etc/passwd") }},
	{name: "read the environment of the server", try: func(p *prey) error { return list(p.process("environ")) }},
	{name: "read the server's memory", try: func(p *prey) error { return list(p.process("mem")) }},
	{name: "read its descriptors", try: func(p *prey) error { return list(p.process("fd/0")) }},
	{name: "list processes", try: func(*prey) error { return list("/proc") }},
	{name: "list the data", try: func(p *prey) error { return list(p.Folder) }},
	{name: "list its own files", try: func(*prey) error { return list("/proc/self/fd") }},
	{name: "read its own memory", try: func(*prey) error { return list("/proc/self/mem") }},
	{name: "open a terminal", try: func(*prey) error { return list("/dev/tty") }},

	{name: "create", try: func(p *prey) error { return os.WriteFile(filepath.Join(p.Folder, "new"), nil, 0o600) }},
	{name: "create below", try: func(p *prey) error { return os.Mkdir(filepath.Join(p.Folder, "folder"), 0o700) }},
	{name: "create in /tmp", try: func(*prey) error {
		f, err := os.CreateTemp("/tmp", "hostile")
		if err == nil {
			os.Remove(f.Name())
		}
		return err
	}},
	{name: "write", try: func(p *prey) error { return opens(p.Database, os.O_WRONLY) }},
	{name: "append", try: func(p *prey) error { return opens(p.Readable, os.O_WRONLY|os.O_APPEND) }},
	{name: "empty", try: func(p *prey) error { return unix.Truncate(p.Database, 0) }},
	{name: "empty readable", try: func(p *prey) error { return unix.Truncate(p.Readable, 0) }},
	{name: "empty by opening", try: func(p *prey) error { return opens(p.Readable, unix.O_RDONLY|unix.O_TRUNC) }},
	{name: "remove", try: func(p *prey) error { return os.Remove(p.Database) }},
	{name: "rename", try: func(p *prey) error { return os.Rename(p.Database, p.Database+"2") }},
	{name: "link", try: func(p *prey) error { return os.Link(p.Database, filepath.Join(os.Getenv("TMPDIR"), "link")) }},
	{name: "mode", try: func(p *prey) error { return os.Chmod(p.Database, 0o777) }},
	{name: "mode of a given", try: func(*prey) error { return unix.Fchmod(3, 0o777) }},
	{name: "owner", try: func(p *prey) error { return os.Chown(p.Database, os.Getuid(), os.Getgid()) }},
	{name: "times", try: func(p *prey) error { return unix.Utimes(p.Database, make([]unix.Timeval, 2)) }},
	{name: "attribute", try: func(p *prey) error { return unix.Setxattr(p.Database, "user.x", []byte("y"), 0) }},
	{name: "symlink out of the scratch folder", try: func(p *prey) error {
		link := filepath.Join(os.Getenv("TMPDIR"), "symlink")
		os.Symlink(p.Database, link)
		_, err := os.ReadFile(link)
		return err
	}},
	{name: "write to the given file", try: func(*prey) error { _, err := unix.Write(3, []byte("x")); return err }},
	{name: "open the given file for writing", try: func(*prey) error { return opens("/dev/fd/3", os.O_WRONLY) }},

	{name: "signal the server", try: func(p *prey) error { return unix.Kill(p.Server, 0) }},
	{name: "stop the server", reaches: true, try: func(p *prey) error { return unix.Kill(p.Server, unix.SIGCONT) }},
	{name: "signal all", reaches: true, try: func(*prey) error { return unix.Kill(-1, 0) }},
	{name: "signal a thread", reaches: true, try: func(p *prey) error { return unix.Tgkill(p.Server, p.Server, 0) }},
	{name: "have the server signalled", try: func(p *prey) error {
		return control(0, unix.F_SETOWN, uintptr(p.Server))
	}},
	{name: "have a process of the server signalled", try: func(p *prey) error {
		owner := [2]int32{ownerProcess, int32(p.Server)}
		return control(0, unix.F_SETOWN_EX, uintptr(unsafe.Pointer(&owner)))
	}},
	{name: "choose the signal", try: func(*prey) error { return control(0, unix.F_SETSIG, uintptr(unix.SIGTERM)) }},
	{name: "choose the signal in the upper half", try: func(*prey) error {
		return control(0, unix.F_SETSIG|1<<40, uintptr(unix.SIGTERM))
	}},
	{name: "own what signals", try: func(p *prey) error { return filtered(ioctl(0, setOwner, p.Server)) }},
	{name: "own what signals of a socket", try: func(p *prey) error { return filtered(ioctl(0, setGroup, p.Server)) }},

	{name: "hold a process", reaches: true, try: func(p *prey) error {
		_, err := unix.PidfdOpen(p.Server, 0)
		return err
	}},
	{name: "trace", reaches: true, try: func(p *prey) error { return unix.PtraceSeize(p.Server) }},
	{name: "slow", reaches: true, try: func(p *prey) error {
		return unix.Setpriority(unix.PRIO_PROCESS, p.Server, 19)
	}},
	{name: "limit", reaches: true, try: func(p *prey) error {
		return unix.Prlimit(p.Server, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1, Max: 1}, nil)
	}},
	{name: "move", reaches: true, try: func(p *prey) error {
		var all unix.CPUSet
		all.Set(0)
		return unix.SchedSetaffinity(p.Server, &all)
	}},
	{name: "read memory", reaches: true, try: func(p *prey) error {
		b := make([]byte, 8)
		remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&b[0])), Len: 8}}
		_, err := unix.ProcessVMReadv(p.Server, []unix.Iovec{{Base: &b[0], Len: 8}}, remote, 0)
		return err
	}},
	{name: "outlive the server", reaches: true, try: func(*prey) error {
		return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0)
	}},
	{name: "leave the group", reaches: true, try: func(*prey) error { _, err := unix.Setsid(); return err }},
	{name: "join a group", reaches: true, try: func(*prey) error { return unix.Setpgid(0, unix.Getppid()) }},

	{name: "namespace", reaches: true, try: func(*prey) error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	{name: "mount", reaches: true, try: func(*prey) error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") }},
	{name: "become root", reaches: true, try: func(*prey) error { return unix.Setresuid(0, 0, 0) }},
	{name: "be root", reaches: true, try: func(*prey) error {
		if os.Geteuid() != 0 {
			return unix.EPERM
		}
		return nil
	}},
	{name: "key", reaches: true, try: func(*prey) error {
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true)
		return err
	}},
	{name: "bpf", reaches: true, try: func(*prey) error { return filtered(call(unix.SYS_BPF)) }},
	{name: "io_uring", reaches: true, try: func(*prey) error { return filtered(call(unix.SYS_IO_URING_SETUP)) }},
	{name: "perf", reaches: true, try: func(*prey) error { return filtered(call(unix.SYS_PERF_EVENT_OPEN)) }},
	{name: "faults", reaches: true, try: func(*prey) error { return filtered(call(unix.SYS_USERFAULTFD, 1<<31)) }},
	{name: "kexec", reaches: true, try: func(*prey) error { return filtered(call(unix.SYS_KEXEC_LOAD)) }},
	{name: "newest call", reaches: true, try: func(*prey) error { return filtered(call(1000)) }},

	{name: "fork", reaches: true, try: func(*prey) error {
		pid, _, e := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if e == 0 && pid == 0 {
			unix.Exit(0)
		}
		return failure(e)
	}},
	{name: "start a program", reaches: true, try: func(*prey) error { return exec.Command("/bin/true").Run() }},
	{name: "start itself", reaches: true, try: func(*prey) error {
		return exec.Command("/proc/self/exe", "-test.run=^$").Run()
	}},
	{name: "start by loader", reaches: true, try: func(*prey) error {
		return exec.Command("/lib64/ld-linux-x86-64.so.2", "/bin/true").Run()
	}},
	{name: "become a program", reaches: true, try: func(*prey) error {
		return syscall.Exec("/bin/true", []string{"true"}, nil)
	}},
	{name: "become itself", reaches: true, try: func(*prey) error {
		return syscall.Exec("/proc/self/exe", []string{"x", "-test.run=^$"}, nil)
	}},
	{name: "become the given file", reaches: true, try: func(*prey) error {
		unix.Dup3(3, mostFiles, 0)
		empty := []byte{0}
		return call(unix.SYS_EXECVEAT, mostFiles, uintptr(unsafe.Pointer(&empty[0])), 0, 0, unix.AT_EMPTY_PATH)
	}},
	{name: "take the program's descriptor", reaches: true, try: func(*prey) error {
		return unix.Dup3(3, mostFiles, 0)
	}},
	{name: "more files", reaches: true, try: func(*prey) error {
		return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: mostFiles + 1, Max: mostFiles + 1})
	}},
})

// ownerProcess is F_OWNER_PID.
const ownerProcess = 1

// sockets are probes for every socket domain and type.
func sockets() (all []probe) {
	for name, domain := range map[string]int{
		"inet": unix.AF_INET, "inet6": unix.AF_INET6, "unix": unix.AF_UNIX, "netlink": unix.AF_NETLINK,
		"packet": unix.AF_PACKET, "vsock": unix.AF_VSOCK,
	} {
		for _, kind := range []int{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_RAW} {
			all = append(all, probe{name: "socket " + name, try: func(*prey) error {
				_, err := unix.Socket(domain, kind, 0)
				return err
			}})
		}
	}
	return all
}

// process returns the path of a file in the server's /proc folder.
func (p *prey) process(what string) string { return fmt.Sprintf("/proc/%d/%s", p.Server, what) }

// list opens a file; for a folder it also lists the entries.
func list(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if _, err = f.Readdirnames(1); errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

// opens opens a file.
func opens(path string, flags int) error {
	_, err := unix.Open(path, flags, 0)
	return err
}

// holds reports whether a file contains what the test wrote into it.
func holds(path string) error {
	if data, err := os.ReadFile(path); err != nil || string(data) != "content" {
		return fmt.Errorf("%q %w", data, err)
	}
	return nil
}

// control calls fcntl.
func control(descriptor, command int, argument uintptr) error {
	return call(unix.SYS_FCNTL, uintptr(descriptor), uintptr(command), argument)
}

// ioctl calls ioctl to set the process that a descriptor signals.
func ioctl(descriptor int, request uintptr, process int) error {
	id := int32(process)
	return call(unix.SYS_IOCTL, uintptr(descriptor), request, uintptr(unsafe.Pointer(&id)))
}

func call(number uintptr, args ...uintptr) error {
	var a [5]uintptr
	copy(a[:], args)
	_, _, e := unix.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], 0)
	return failure(e)
}

func failure(e syscall.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

// filtered returns the error of a call with invalid arguments if the filter caused it, else nil.
func filtered(err error) error {
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		return err
	}
	return nil
}

// onlyWith skips tests that need confinement which the kernel does not support.
func onlyWith(t *testing.T) {
	t.Helper()
	if s := Supported(); s.Landlock < 2 || !s.Seccomp {
		t.Skipf("this kernel cannot confine programs: Landlock version %d, seccomp %v", s.Landlock, s.Seccomp)
	}
}

// hunt creates prey, runs a confined attacker, and returns its output.
func hunt(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	p := prey{Server: os.Getpid(), Folder: dir, Database: filepath.Join(dir, "parley.db"),
		Key: filepath.Join(dir, "storage.key"), Readable: filepath.Join(dir, "model")}
	for path, content := range map[string]string{p.Database: "rows", p.Key: "secret", p.Readable: "content"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	handed := filepath.Join(dir, "recording")
	if err := os.WriteFile(handed, []byte("content"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(handed)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	told, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	cmd := Command(t.Context(), self, "hostile", string(told))
	cmd.ExtraFiles = []*os.File{file}
	var out, complaint strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := Run(cmd, Limits{Access: Access{Read: []string{p.Readable}, Scratch: true}}); err != nil {
		t.Fatalf("%v: %s\n%s", err, &out, &complaint)
	}
	for path, content := range map[string]string{p.Database: "rows", p.Key: "secret", p.Readable: "content",
		handed: "content"} {
		if data, err := os.ReadFile(path); err != nil || string(data) != content {
			t.Errorf("%s is now %q, %v", path, data, err)
		}
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestAHostileChildReachesNothing(t *testing.T) {
	onlyWith(t)
	if got := hunt(t); len(got) != 1 || got[0] != "over" {
		t.Errorf("a confined child could:\n%s", strings.Join(got, "\n"))
	}
}

// A server that is not root runs as the same user as its children, which could signal it and read its files.
func TestAHostileChildOfTheSameUserReachesNothing(t *testing.T) {
	onlyWith(t)
	if os.Geteuid() != 0 {
		t.Skip("the other test shows it: this one is not root")
	}
	cmd := exec.Command(self, "-test.run=^TestAHostileChildReachesNothing$", "-test.v")
	cmd.Env = append(os.Environ(), "TMPDIR=/tmp", "HOME=/tmp")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65533, Gid: 65533}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Without confinement the same attacks succeed, which shows that the test above can fail.
func TestTheHostileProgramSucceedsWhereNothingConfinesIt(t *testing.T) {
	dir := t.TempDir()
	p := prey{Server: os.Getpid(), Folder: dir, Database: filepath.Join(dir, "parley.db"),
		Key: filepath.Join(dir, "storage.key"), Readable: filepath.Join(dir, "parley.db"), Alone: true}
	for _, path := range []string{p.Database, p.Key} {
		if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	told, _ := json.Marshal(p)
	cmd := Command(t.Context(), self, "hostile", string(told))
	cmd.Dir = dir // also used as its scratch folder, since it has no other one
	out, _ := cmd.StdoutPipe()
	if err := Start(cmd, Limits{Access: Access{Trusted: true}}); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		got[lines.Text()] = true
	}
	Wait(cmd)
	for _, want := range []string{
		"socket inet", "socket unix", "socket netlink", "read the database", "read the key",
		"read the environment of the server", "create", "signal the server", "have the server signalled",
	} {
		if !got[want] {
			t.Errorf("the program did not get to %q; it got %v", want, got)
		}
	}
}

func TestAProgramThatIsNotThereOrCannotRunIsAnError(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	binary := text + "2"
	if err := os.WriteFile(binary, []byte("text"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"/no/such/program": os.ErrNotExist, text: os.ErrPermission,
		binary: syscall.ENOEXEC} {
		if err := Run(Command(context.Background(), path), Limits{}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

func TestScriptsRunWithTheirInterpreterAlone(t *testing.T) {
	onlyWith(t)
	script := filepath.Join(t.TempDir(), "engine")
	for _, first := range []string{"#!/bin/sh", "#! /bin/sh -e", "#!/usr/bin/env sh", "#!/usr/bin/env -S sh -e"} {
		if err := os.WriteFile(script, []byte(first+"\necho \"$0 $1\"\n/bin/true || echo nothing else; exit 0\n"),
			0o755); err != nil {
			t.Fatal(err)
		}
		cmd := Command(t.Context(), script, "hello")
		var out strings.Builder
		cmd.Stdout = &out
		err := Run(cmd, Limits{})
		if got := out.String(); !strings.HasPrefix(got, script+" hello\n") {
			t.Errorf("%s: %q, %v", first, got, err)
		}
	}
}

func TestAChildStartsTheProgramsThatItMayAndNoOther(t *testing.T) {
	onlyWith(t)
	for program, want := range map[string]string{"/usr/bin/id": "", "/usr/bin/env": "ok"} {
		cmd := Command(t.Context(), "sh", "-c", program+" true >/dev/null 2>&1; "+program+" >/dev/null 2>&1 && echo ok")
		var out strings.Builder
		cmd.Stdout = &out
		Run(cmd, Limits{Access: Access{Start: []string{"env"}}})
		if got := strings.TrimSpace(out.String()); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}

func TestTheScratchFolderGoesWithTheChild(t *testing.T) {
	cmd := Command(t.Context(), "sh", "-c", "echo x >$TMPDIR/file && echo $TMPDIR && echo $HOME")
	var out strings.Builder
	cmd.Stdout = &out
	if err := Run(cmd, Limits{Access: Access{Scratch: true}}); err != nil {
		t.Fatal(err)
	}
	folders := strings.Fields(out.String())
	if len(folders) != 2 || folders[0] != folders[1] || folders[0] == os.TempDir() {
		t.Fatalf("folders %q", folders)
	}
	if _, err := os.Stat(folders[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestLimitsOfFilesAndThreadsAreThereWhateverIsAskedFor(t *testing.T) {
	cmd := Command(t.Context(), "sh", "-c",
		"ulimit -H -f; ulimit -H -n; ulimit -H -u 2>/dev/null || ulimit -H -p; ulimit -H -c")
	var out strings.Builder
	cmd.Stdout = &out
	if err := Run(cmd, Limits{}); err != nil {
		t.Fatal(err)
	}
	files, rest, _ := strings.Cut(out.String(), "\n")
	if files != strconv.Itoa(mostFile/512) {
		t.Errorf("file size of %s blocks", files)
	}
	got := strings.Fields(rest)
	if len(got) != 3 || got[0] != strconv.Itoa(mostFiles) || got[2] != "0" {
		t.Fatalf("limits %q", got)
	}
	if threads, err := strconv.Atoi(got[1]); err != nil || threads < moreThreads/2 || threads > 1<<20 {
		t.Errorf("processes: %q", got[1])
	}
}

// BenchmarkStart compares the cost of starting and ending a small program with and without confinement. The confined
// case includes the start of this test binary, as it includes that of the server in production.
func BenchmarkStart(b *testing.B) {
	for name, access := range map[string]Access{"confined": {}, "trusted": {Trusted: true},
		"scratch": {Scratch: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := Run(Command(b.Context(), "true"), Limits{Access: access}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
