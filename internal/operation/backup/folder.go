//go:build unix

package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"parley/internal/host/durable"
	"parley/internal/words/fault"
)

// Folder is a data directory under construction: it gets its final name only when it is complete.
type Folder struct {
	Dir    string // where to build
	target string
	inside bool // built inside the target, which exists and may be a mount point, which cannot be replaced
}

// NewFolder makes a folder to build in. target must be empty or not exist; otherwise the error is Conflict.
func NewFolder(target string) (*Folder, error) {
	entries, err := os.ReadDir(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(target)
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return nil, unavailable("make "+parent, err)
		}
		return build(parent, target, false)
	case err != nil:
		return nil, unavailable("read the folder "+target, err)
	case len(entries) > 0:
		return nil, fault.New(fault.Conflict, fault.CodeConflict,
			"%s is not empty (it contains %q); name a folder that is empty or new", target, entries[0].Name())
	}
	return build(target, target, true)
}

func build(parent, target string, inside bool) (*Folder, error) {
	dir, err := os.MkdirTemp(parent, ".restoring-*")
	if err != nil {
		return nil, unavailable("make a folder in "+parent, err)
	}
	return &Folder{Dir: dir, target: target, inside: inside}, nil
}

// Publish durably renames the folder to its final name. It leaves the target alone if that is no longer empty.
func (f *Folder) Publish() error {
	move := f.replace
	if f.inside {
		move = f.unwrap
	}
	if err := move(); err != nil {
		return unavailable("move the restored files to "+f.target, err)
	}
	return nil
}

// replace renames the folder to its target, which must be absent or empty: the kernel refuses anything else.
func (f *Folder) replace() error {
	if err := durable.Folder(f.Dir); err != nil {
		return err
	}
	if err := unix.Rename(f.Dir, f.target); err != nil {
		return err
	}
	return durable.Folder(filepath.Dir(f.target))
}

// unwrap moves the content up into the target, the database last: without the database the other files are ignored.
func (f *Folder) unwrap() error {
	entries, err := os.ReadDir(f.target)
	if err == nil && len(entries) > 1 {
		err = fault.New(fault.Conflict, fault.CodeConflict, "it is no longer empty")
	}
	if err != nil {
		return err
	}
	if entries, err = os.ReadDir(f.Dir); err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return rank(a) - rank(b) })
	for _, e := range entries {
		if err := os.Rename(filepath.Join(f.Dir, e.Name()), filepath.Join(f.target, e.Name())); err != nil {
			return err
		}
	}
	if err := os.Remove(f.Dir); err != nil {
		return err
	}
	return durable.Folder(f.target)
}

func rank(e fs.DirEntry) int {
	if e.IsDir() {
		return 0
	}
	return 1
}

// Discard removes the folder. After Publish it does nothing.
func (f *Folder) Discard() { os.RemoveAll(f.Dir) }
