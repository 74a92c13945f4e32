//go:build unix

// Package scratch provides a folder per process for unfinished files. The next process removes the folders of processes
// that have died.
//
// A process holds a lock on its folder while it lives, which shows other processes that the folder is in use. The
// kernel releases the lock when the process dies for whatever reason. No process ids are needed, which other machines
// and containers reuse. The package does not create the root of the folders and does not sync anything.
package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/host/filelock"
)

// Folder is the scratch folder of this process.
type Folder struct {
	path string
	lock *filelock.Lock
}

// New creates a folder for this process below root, and removes those of dead processes.
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

// claim creates and locks a folder; nil if another process removed it in between as abandoned.
func claim(root string) (*Folder, error) {
	path, err := os.MkdirTemp(root, "run-*")
	if err != nil {
		return nil, err
	}
	lock, err := take(path)
	if lock == nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		lock.Close()
		return nil, nil
	}
	return &Folder{path, lock}, nil
}

// take locks a folder; nil if it does not exist, or if its owner is alive.
func take(path string) (*filelock.Lock, error) {
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
	return lock, err
}

// Abandoned returns the folders below root whose owners are dead, and removes them if remove is set. A missing root has
// none.
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
	lock, err := take(path)
	if lock == nil {
		return false, err
	}
	defer lock.Close()
	if remove {
		err = os.RemoveAll(path)
	}
	return true, err
}

// Path returns the path of the folder.
func (f *Folder) Path() string { return f.path }

// Create creates a file in the folder; the caller renames or removes it.
func (f *Folder) Create() (*os.File, error) { return os.CreateTemp(f.path, "") }

// Close removes the folder and its contents.
func (f *Folder) Close() error {
	defer f.lock.Close()
	return os.RemoveAll(f.path)
}
