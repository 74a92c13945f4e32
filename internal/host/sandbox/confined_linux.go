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

// confineArgument is the hidden command with which a program that calls Main confines itself and becomes another one.
const confineArgument = "confine"

// self is this program's file, even if another one has replaced it on disk.
const self = "/proc/self/exe"

// launcher is the program that is started to confine a child; it must call Main. Any other program would start its own
// work instead, so launcher is unset before Main or MainBy is called.
var launcher atomic.Pointer[string]

// confineTime bounds the child's own time for confining itself: if it takes longer, a file system does not respond.
const confineTime = time.Minute

var errNoMain = errors.New("this program cannot confine its children: its main function does not call sandbox.Main")

// order is passed to the confining process in its arguments, which other users can read, so it holds no secrets.
type order struct {
	Program string // as in cmd, found in PATH
	Files   int    // open files passed to the child, from descriptor 3; the next one reports errors
	Scratch string // writable folder; empty: none
	User    *owner // user of the child; nil: unchanged
	Limits  Limits
}

// owner is an unprivileged user that root's children run as.
type owner struct{ UID, GID int }

// Main must be called first in main, or in TestMain, of every program that starts confined children. If the process was
// started to confine a child, Main does so and does not return.
func Main() {
	if len(os.Args) > 2 && os.Args[1] == confineArgument {
		os.Exit(confineMain(os.Args[2], os.Args[3:]))
	}
	MainBy(self)
}

// MainBy replaces Main if another program, which calls Main, confines the children of this one.
func MainBy(program string) { launcher.Store(&program) }

// startConfined starts the launcher in place of cmd and waits until it has become cmd's program, or has failed to. If
// cmd's context ends before that, the child is killed and Wait returns the error.
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
	said, _ := io.ReadAll(read) // ends when the program has started, or the process has exited
	stop()
	if len(said) == 0 {
		return nil
	}
	killGroup(cmd.Process.Pid)
	cmd.Wait()
	return refusal(path, string(said))
}

// startError is the error reported by a confining process: a text, and the system's error number.
type startError struct {
	program, text string
	cause         error
}

func (e *startError) Error() string { return "start " + e.program + ": " + e.text }

func (e *startError) Unwrap() error { return e.cause }

func refusal(program, said string) error {
	number, text, _ := strings.Cut(said, " ")
	e := &startError{program: program, text: text}
	if errno, err := strconv.Atoi(number); err == nil && errno != 0 {
		e.cause = syscall.Errno(errno)
	}
	return e
}

// Readable reports whether a child may reopen a file for reading that is passed to it by descriptor: the children of
// root run as another user.
func Readable(file *os.File) bool {
	user := unprivileged()
	if user == nil {
		return true
	}
	var stat unix.Stat_t
	if unix.Fstat(int(file.Fd()), &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return true // opening the file reports a better error
	}
	if int(stat.Uid) == user.UID {
		return stat.Mode&0o400 != 0
	}
	return stat.Mode&0o004 != 0
}

// unprivileged returns the user that children run as: nobody if this process is root.
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
