package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// confineArgument is the hidden command by which a program that calls Main confines itself and becomes another.
const confineArgument = "confine"

// self is this program's file, also when another has been put in its place meanwhile.
const self = "/proc/self/exe"

// launcher is the program that is started to confine a child: one that calls Main. Any other would begin its own work
// instead, so there is none before Main or MainBy is called.
var launcher atomic.Pointer[string]

// confineTime is what confining may take, of the child's own time: longer is a file system that does not answer.
const confineTime = time.Minute

var errNoMain = errors.New("this program cannot confine its children: its main function does not call child.Main")

// order is what the confining process is told: by its arguments, which other users may read, so it holds no secrets.
type order struct {
	Program string // as cmd names it, found in PATH
	Files   int    // open files handed to the child, from descriptor 3; the next one reports
	Scratch string // folder that it may write to; empty: none
	User    *owner // whom it becomes; nil: it stays who it is
	Limits  Limits
}

// owner is an unprivileged user that children of root become.
type owner struct{ UID, GID int }

// Main must be called first in main, or in TestMain, of every program that starts confined children: where the
// process was started to confine one, Main does so and does not return.
func Main() {
	if len(os.Args) > 2 && os.Args[1] == confineArgument {
		os.Exit(confineMain(os.Args[2], os.Args[3:]))
	}
	MainBy(self)
}

// MainBy takes the place of Main where another program, which calls Main, confines the children of this one.
func MainBy(program string) { launcher.Store(&program) }

// startConfined starts the launcher in cmd's place and waits until it has become cmd's program, or has failed
// to. When cmd's context ends before that, the child is killed and Wait tells so.
func startConfined(cmd *exec.Cmd, limits Limits) error {
	by := launcher.Load()
	if by == nil {
		return errNoMain
	}
	o := order{Program: cmd.Path, Files: len(cmd.ExtraFiles), User: unprivileged(), Limits: limits}
	if limits.Access.Scratch {
		var err error
		if o.Scratch, err = newScratch(o.User); err != nil {
			return fmt.Errorf("scratch folder of a child: %w", err)
		}
		cmd.Env = append(cmd.Env, "TMPDIR="+o.Scratch, "HOME="+o.Scratch)
	}
	err := becomes(cmd, *by, o)
	if err != nil {
		removeScratch(cmd)
	}
	return err
}

func becomes(cmd *exec.Cmd, by string, o order) error {
	told, err := json.Marshal(o)
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	files, args, path := cmd.ExtraFiles, cmd.Args, cmd.Path
	cmd.Path = by
	cmd.Args = append([]string{args[0], confineArgument, string(told)}, args[1:]...)
	cmd.ExtraFiles = append(files[:len(files):len(files)], write)
	err = onSpawner(cmd.Start)
	write.Close()
	cmd.Path, cmd.Args, cmd.ExtraFiles = path, args, files
	if err != nil {
		return err
	}
	stop := Watch(cmd.Process.Pid, confineTime, func() { killGroup(cmd.Process.Pid) })
	said, _ := io.ReadAll(read) // ends when the program has begun, or the process is gone
	stop()
	if len(said) == 0 {
		return nil
	}
	killGroup(cmd.Process.Pid)
	cmd.Wait()
	return refusal(path, string(said))
}

// notStarted is what a confining process reported: a text, and the number of the system's error in it.
type notStarted struct {
	program, text string
	cause         error
}

func (e *notStarted) Error() string { return "start " + e.program + ": " + e.text }

func (e *notStarted) Unwrap() error { return e.cause }

func refusal(program, said string) error {
	number, text, _ := strings.Cut(said, " ")
	e := &notStarted{program: program, text: text}
	if errno, err := strconv.Atoi(number); err == nil && errno != 0 {
		e.cause = syscall.Errno(errno)
	}
	return e
}

// Readable reports whether a child may open a file that it is handed again by its descriptor, for reading: children of
// root are another user.
func Readable(file *os.File) bool {
	user := unprivileged()
	if user == nil {
		return true
	}
	var stat unix.Stat_t
	if unix.Fstat(int(file.Fd()), &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return true // what opening says is the better error
	}
	if int(stat.Uid) == user.UID {
		return stat.Mode&0o400 != 0
	}
	return stat.Mode&0o004 != 0
}

// unprivileged is whom children become: nobody, where this process is root.
func unprivileged() *owner {
	if os.Geteuid() != 0 {
		return nil
	}
	if u, err := user.Lookup("nobody"); err == nil {
		uid, badUID := strconv.Atoi(u.Uid)
		gid, badGID := strconv.Atoi(u.Gid)
		if badUID == nil && badGID == nil && uid > 0 && gid > 0 {
			return &owner{uid, gid}
		}
	}
	return &owner{65534, 65534}
}
