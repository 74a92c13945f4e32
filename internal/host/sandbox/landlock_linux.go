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

// What every program may read: libraries, what the dynamic loader and the C library look up, what packages install
// for all users, and what the machine is. Nothing of /etc beyond that, of /proc or of anybody's home.
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

// Rights to files, and to folders with all that is in them.
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

// interfaces are what the versions of Landlock's interface can restrict, each more than the one before: all of it is
// restricted but what rules admit.
var interfaces = []unix.LandlockRulesetAttr{
	1: {Handled_access_fs: 1<<13 - 1},
	2: {Handled_access_fs: 1<<14 - 1}, // moving between folders
	3: {Handled_access_fs: 1<<15 - 1}, // truncation
	4: {Handled_access_fs: 1<<15 - 1, Handled_access_net: tcp},
	5: {Handled_access_fs: 1<<16 - 1, Handled_access_net: tcp}, // ioctl of devices
	6: {Handled_access_fs: 1<<16 - 1, Handled_access_net: tcp, Scoped: outside},
}

// landlockVersion asks the kernel; 0: it has none, or this process may not use it.
func landlockVersion() int {
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// landlock admits the program, what it is loaded with, and what Access names. Where the kernel has no Landlock it does
// nothing; of newer versions it uses what there is. It restricts this thread alone, which becomes the process: the
// library for it restricts all, for which it stops them, and makes the start of a child twice as long.
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

// admit names all that the program may reach.
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

// ruleset gathers rules; err is the first that could not be added.
type ruleset struct {
	fd      int
	handled uint64
	err     error
}

// onFiles are the rights that a rule for a file, and no folder, may have.
const onFiles = executeFile | writeFile | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

// allow admits a file, or a folder with all that is in it. What is not there needs no rule.
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
	case nil, unix.ENOENT, unix.ENOTDIR, unix.EACCES: // where this user may not look the child may not either
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

// start admits the execution of one more program, where it is installed.
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

// hand admits that an open file is opened again by its descriptor, as it is open: FFmpeg reads files in no other way.
// What is not in a file system, such as a pipe, is not Landlock's matter.
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

// loader returns the program that the kernel starts to load another, ld.so; empty: none.
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
