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

// What a confined process may have at most, whatever its limits say.
const (
	mostFiles   = 512     // open at a time
	mostFile    = 1 << 30 // bytes of a file
	moreThreads = 4096    // beside those that the machine has now: the kernel counts all of a user
)

// confineMain is the process between the server and the program: it returns only when it fails, with its exit code.
// What failed is written to the descriptor behind the files that are handed on.
func confineMain(told string, args []string) int {
	var o order
	err := json.Unmarshal([]byte(told), &o)
	if err == nil {
		// identity, niceness and the filter are those of a thread; the last call makes it the process
		runtime.LockOSThread()
		err = o.become(args)
	}
	var errno syscall.Errno
	errors.As(err, &errno)
	report := os.NewFile(uintptr(3+o.Files), "report")
	fmt.Fprintf(report, "%d %v", int(errno), err)
	return 126
}

// become confines this process and replaces it with the program. The order matters: rules name files that only root
// can find; what is set later needs rights that are given away then; the filter comes last.
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
	if err := bound(0, unix.RLIMIT_DATA, o.Limits.Memory); err != nil { // from here on this process may lack memory
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

// target is the program, opened before the process loses the right to.
type target struct {
	file   *os.File
	args   []string
	loader string   // that the kernel starts in its place, ld.so; empty: none
	script []string // files that its interpreter reads
	places []string // folders of libraries that the program names
}

// mostScripts is how often an interpreter may be a script itself, as for the kernel.
const mostScripts = 4

// open finds what is to be executed: of a script, its interpreter. The kernel cannot be left to do that, since the
// program is executed by descriptor.
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

// shebang returns the interpreter that a script names, found as env would, with its argument; nil: it is no script.
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

// inspect reads what the program needs to be loaded. What is not ELF is the kernel's to refuse.
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

// place moves the program's descriptor above all that the process may open later. That is what the filter tells the
// one execution by that is to be from any other, since no other file can ever come to that number.
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

// dieWith makes the end of the parent's thread the child's, which a change of user undoes.
func (o *order) dieWith(parent int) error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("death signal: %w", err)
	}
	if os.Getppid() != parent {
		return errors.New("the server has ended")
	}
	return nil
}

// limit sets limits and closes what the program is not given.
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
	// where the kernel has it; Go marks all anyway
	unix.CloseRange(uint(3+o.Files), uint(slot), unix.CLOSE_RANGE_CLOEXEC)
	for _, err := range []error{
		limit(0, unix.RLIMIT_NOFILE, uint64(slot), uint64(slot)),
		limit(0, unix.RLIMIT_NPROC, most, most),
		limit(0, unix.RLIMIT_CORE, 0, 0), // memory full of speech is not to be written to disk
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
