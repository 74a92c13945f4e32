package sandbox

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Paths that every program may read: libraries, files of the dynamic loader and the C library, system-wide package
// data, and properties of the machine. Nothing else of /etc, /proc or home folders.
var (
	systemFolders = []string{
		"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share",
		"/usr/local/lib", "/usr/local/lib64", "/usr/local/share", "/nix/store", "/gnu/store", "/sys/devices/system",
	}
	systemFiles = []string{
		"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime",
		"/proc/cpuinfo", "/proc/meminfo", "/dev/zero", "/dev/random", "/dev/urandom",
	}
)

// Rights to files, and to folders including their contents.
const (
	readFile    = unix.LANDLOCK_ACCESS_FS_READ_FILE
	readFolder  = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	executeFile = readFile | unix.LANDLOCK_ACCESS_FS_EXECUTE
	writeFile   = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	writeFolder = readFolder | writeFile | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR
)

const (
	tcp     = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	outside = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// interfaces lists what each version of Landlock's interface can restrict; each version adds to the previous one.
// Everything is restricted unless rules permit it.
var interfaces = []unix.LandlockRulesetAttr{
	1: {Handled_access_fs: 1<<13 - 1},
	2: {Handled_access_fs: 1<<14 - 1}, // moving between folders
	3: {Handled_access_fs: 1<<15 - 1}, // truncation
	4: {Handled_access_fs: 1<<15 - 1, Handled_access_net: tcp},
	5: {Handled_access_fs: 1<<16 - 1, Handled_access_net: tcp}, // ioctl of devices
	6: {Handled_access_fs: 1<<16 - 1, Handled_access_net: tcp, Scoped: outside},
}

// landlockVersion asks the kernel for the version; 0: not supported, or not permitted for this process.
func landlockVersion() int {
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// landlock permits the program, what is needed to load it, and what Access names. If the kernel has no Landlock, it
// does nothing; of newer versions it uses what is known here. It restricts only this thread, which becomes the process:
// the Landlock library restricts all threads, and stops them to do so, which doubles the start time of a child.
func (o *order) landlock(t *target) error {
	version := min(landlockVersion(), len(interfaces)-1)
	if version == 0 {
		return nil
	}
	attributes := interfaces[version]
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET,
		uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	defer unix.Close(int(fd))
	rules := ruleset{fd: int(fd), handled: attributes.Handled_access_fs}
	o.admit(&rules, t)
	if rules.err != nil {
		return fmt.Errorf("landlock: %w", rules.err)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	return nil
}

// admit adds rules for everything that the program may access.
func (o *order) admit(r *ruleset, t *target) {
	for _, path := range systemFolders {
		r.allow(readFolder, path)
	}
	for _, path := range systemFiles {
		r.allow(readFile, path)
	}
	r.allow(writeFile, "/dev/null")
	r.allow(executeFile, descriptor(int(t.file.Fd())))
	r.allow(executeFile, t.loader)
	named := append(append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), t.places...), t.script...)
	for _, path := range append(named, o.Limits.Access.Read...) {
		r.allow(readFolder, path)
	}
	for _, name := range o.Limits.Access.Start {
		r.start(name)
	}
	for i := range o.Files {
		r.hand(3 + i)
	}
	r.allow(writeFolder, o.Scratch)
}

// ruleset collects rules; err is the first error.
type ruleset struct {
	fd      int
	handled uint64
	err     error
}

// onFiles are the rights that are valid in a rule for a file rather than a folder.
const onFiles = executeFile | writeFile | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

// allow permits a file, or a folder including its contents. A missing path needs no rule.
func (r *ruleset) allow(rights uint64, path string) {
	if path == "" || r.err != nil {
		return
	}
	file, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err == nil {
		defer unix.Close(file)
		err = r.add(rights, file)
	}
	switch err {
	case nil, unix.ENOENT, unix.ENOTDIR, unix.EACCES: // what this user cannot reach, the child cannot either
	default:
		r.err = fmt.Errorf("%s: %w", path, err)
	}
}

func (r *ruleset) add(rights uint64, file int) error {
	var stat unix.Stat_t
	if err := unix.Fstat(file, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= onFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights & r.handled, Parent_fd: int32(file)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// start permits the execution of one more program, if it is installed.
func (r *ruleset) start(name string) {
	path, err := exec.LookPath(name)
	if err != nil {
		return
	}
	r.allow(executeFile, path)
	if file, err := elf.Open(path); err == nil {
		defer file.Close()
		r.allow(executeFile, loader(file))
	}
}

// hand permits reopening an open file by its descriptor, with the same access mode: FFmpeg cannot read passed files
// otherwise. Descriptors outside a file system, such as pipes, are not subject to Landlock.
func (r *ruleset) hand(fd int) {
	var stat unix.Stat_t
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return
	}
	if flags&unix.O_ACCMODE == unix.O_RDONLY {
		r.allow(readFile, descriptor(fd))
	} else {
		r.allow(writeFile, descriptor(fd))
	}
}

func descriptor(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// loader returns the program that the kernel starts to load an ELF file, ld.so; empty: none.
func loader(f *elf.File) string {
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP && p.Filesz < unix.PathMax {
			name := make([]byte, p.Filesz)
			p.ReadAt(name, 0)
			return strings.TrimRight(string(name), "\x00")
		}
	}
	return ""
}
