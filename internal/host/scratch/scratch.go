//go:build unix

// Package scratch is folders for the unfinished files of one process each, which the next process removes where
// their owner has died.
//
// A process holds a lock on its folder as long as it lives, by which others see that it does; the kernel drops the lock
// when the process dies in whatever way, and a number of a process, which other machines and containers use too, is not
// needed. The package does not make the root below which folders lie, and does not sync anything.
package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/host/filelock"
)

// Folder is a folder of this process.
type Folder struct {
	path string
	lock *filelock.Lock
}

// New makes a folder of our own below root, and removes those whose owners are dead.
func New(root string) (*Folder, error) {
	if _, err := Abandoned(root, true); err != nil {
		return nil, err
	}
	for {
		f, err := claim(root)
		if f != nil || err != nil {
			return f, err
		}
	}
}

// claim makes and locks a folder; nil when another process, sweeping, removed it in between.
func claim(root string) (*Folder, error) {
	path, err := os.MkdirTemp(root, "run-*")
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lock, err := filelock.Take(file)
	if errors.Is(err, filelock.ErrBusy) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		lock.Close()
		return nil, nil
	}
	return &Folder{path, lock}, nil
}

// Abandoned returns the folders below root whose owners are dead, and removes them if asked to. A root that is not
// there has none.
func Abandoned(root string, remove bool) (dead []string, err error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		was, err := abandoned(path, remove)
		if err != nil {
			return nil, err
		}
		if was {
			dead = append(dead, path)
		}
	}
	return dead, nil
}

func abandoned(path string, remove bool) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	lock, err := filelock.Take(file)
	if errors.Is(err, filelock.ErrBusy) {
		return false, nil // its owner lives
	}
	if err != nil {
		return false, err
	}
	defer lock.Close()
	if remove {
		err = os.RemoveAll(path)
	}
	return true, err
}

// Path is where the folder is.
func (f *Folder) Path() string { return f.path }

// Create makes a file in the folder, to be renamed or removed.
func (f *Folder) Create() (*os.File, error) { return os.CreateTemp(f.path, "") }

// Close removes the folder with all that is in it.
func (f *Folder) Close() error {
	defer f.lock.Close()
	return os.RemoveAll(f.path)
}
