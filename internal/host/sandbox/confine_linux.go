package sandbox

import (
	"cmp"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Upper bounds for every confined process, whatever its limits are.
const (
	mostFiles   = 512     // open files
	mostFile    = 1 << 30 // bytes per file
	moreThreads = 4096    // in addition to those on the machine now: the kernel counts all threads of a user
)

// confineMain is the main function of the process between the server and the program. It returns only on failure, with
// its exit code. It writes the error to the descriptor after those of the passed files.
func confineMain(told string, args []string) int {
	var o order
	err := json.Unmarshal([]byte(told), &o)
	if err == nil {
		// identity, niceness and the filter apply to a thread; execve makes this thread the process
		runtime.LockOSThread()
		err = o.become(args)
	}
	var errno syscall.Errno
	errors.As(err, &errno)
	report := os.NewFile(uintptr(3+o.Files), "report")
	fmt.Fprintf(report, "%d %v", int(errno), err)
	return 126
}

// become confines this process and replaces it with the program. The order matters: rules name files that only root can
// find; later steps need privileges that are dropped afterwards; the filter is installed last.
func (o *order) become(args []string) error {
	parent := os.Getppid()
	target, err := open(o.Program, append([]string{o.Program}, args...))
	if err != nil {
		return err
	}
	slot, err := target.place()
	if err != nil {
		return fmt.Errorf("descriptor: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if err := o.landlock(target); err != nil {
		return err
	}
	if err := o.step(target); err != nil {
		return err
	}
	if err := o.dieWith(parent); err != nil {
		return err
	}
	if err := o.limit(slot); err != nil {
		return fmt.Errorf("limits: %w", err)
	}
	argv, err := syscall.SlicePtrFromStrings(target.args)
	if err != nil {
		return err
	}
	envv, err := syscall.SlicePtrFromStrings(os.Environ())
	if err != nil {
		return err
	}
	filter, err := o.filter(slot)
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	if err := bound(0, unix.RLIMIT_DATA, o.Limits.Memory); err != nil { // from here on allocations may fail
		return fmt.Errorf("limits: %w", err)
	}
	if err := install(filter); err != nil {
		return err
	}
	return execute(slot, argv, envv)
}

// execute replaces the process. It fails with EAGAIN while the runtime starts a thread.
func execute(slot int, argv, envv []*byte) error {
	empty := [1]byte{}
	for {
		_, _, errno := unix.RawSyscall6(unix.SYS_EXECVEAT, uintptr(slot), uintptr(unsafe.Pointer(&empty[0])),
			uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])), unix.AT_EMPTY_PATH, 0)
		if errno != unix.EAGAIN {
			return fmt.Errorf("execveat: %w", errno)
		}
		runtime.Gosched()
	}
}

// target is the program, opened while the process is still permitted to.
type target struct {
	file   *os.File
	args   []string
	loader string   // started by the kernel in its place, ld.so; empty: none
	script []string // files that its interpreter reads
	places []string // library folders that the program names
}

// mostScripts bounds the nesting of script interpreters, as in the kernel.
const mostScripts = 4

// open finds the executable: for a script, its interpreter. The kernel cannot do that here, since the program is
// executed by descriptor.
func open(path string, args []string) (*target, error) {
	t := &target{args: args}
	for range mostScripts {
		if t.file != nil {
			t.file.Close()
		}
		if err := unix.Access(path, unix.X_OK); err != nil {
			return nil, fmt.Errorf("access: %w", err)
		}
		var err error
		if t.file, err = os.Open(path); err != nil {
			return nil, err
		}
		words, err := shebang(t.file)
		if err != nil {
			return nil, err
		}
		if words == nil {
			t.inspect(path)
			return t, nil
		}
		t.script = append(t.script, path)
		t.args = append(append(words, path), t.args[1:]...)
		path = words[0]
	}
	return nil, syscall.ELOOP
}

// shebang returns the interpreter of a script, resolved as env would, with its argument; nil if the file is not a
// script.
func shebang(f *os.File) ([]string, error) {
	head := make([]byte, 256)
	n, _ := f.ReadAt(head, 0)
	line, found := strings.CutPrefix(string(head[:n]), "#!")
	if !found {
		return nil, nil
	}
	line, _, _ = strings.Cut(line, "\n")
	name, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
	words := []string{name}
	if argument = strings.TrimSpace(argument); argument != "" {
		words = append(words, argument)
	}
	if filepath.Base(name) == "env" && argument != "" {
		words = strings.Fields(strings.TrimPrefix(argument, "-S "))
		found, err := exec.LookPath(words[0])
		if err != nil {
			return nil, fmt.Errorf("interpreter %s: %w", words[0], syscall.ENOENT)
		}
		words[0] = found
	}
	return words, nil
}

// inspect determines what the program needs to be loaded. Files that are not ELF are left for the kernel to refuse.
func (t *target) inspect(path string) {
	program, err := elf.NewFile(t.file)
	if err != nil {
		return
	}
	t.loader = loader(program)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		lists, _ := program.DynString(tag)
		for _, list := range lists {
			for _, place := range strings.Split(list, ":") {
				place = strings.NewReplacer("$ORIGIN", filepath.Dir(path), "${ORIGIN}",
					filepath.Dir(path)).Replace(place)
				t.places = append(t.places, filepath.Clean(place))
			}
		}
	}
}

// place moves the program's descriptor above all that the process may open later. The filter recognises the one
// permitted execution by this number, since no other file can ever have it.
func (t *target) place() (slot int, err error) {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return 0, err
	}
	slot = int(min(mostFiles, files.Max-1))
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: files.Max, Max: files.Max}); err != nil {
		return 0, err
	}
	return slot, unix.Dup3(int(t.file.Fd()), slot, unix.O_CLOEXEC)
}

// dieWith kills the child when the parent's thread ends. A change of user resets this setting.
func (o *order) dieWith(parent int) error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("death signal: %w", err)
	}
	if os.Getppid() != parent {
		return errors.New("the server has exited")
	}
	return nil
}

// limit sets the limits and closes all files that are not passed to the program.
func (o *order) limit(slot int) error {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return err
	}
	var threads unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &threads); err != nil {
		return err
	}
	l := o.Limits
	most := min(uint64(info.Procs)+moreThreads, threads.Max)
	unix.CloseOnExec(3 + o.Files)
	// if the kernel supports it; Go marks all files close-on-exec anyway
	unix.CloseRange(uint(3+o.Files), uint(slot), unix.CLOSE_RANGE_CLOEXEC)
	for _, err := range []error{
		limit(0, unix.RLIMIT_NOFILE, uint64(slot), uint64(slot)),
		limit(0, unix.RLIMIT_NPROC, most, most),
		limit(0, unix.RLIMIT_CORE, 0, 0), // memory with speech in it must not be written to disk
		bound(0, unix.RLIMIT_FSIZE, cmp.Or(l.FileSize, mostFile)),
		l.nice(0),
		l.processor(0),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
