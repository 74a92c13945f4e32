//go:build unix

package disk

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// scratch is this process's folder of unfinished files. It holds a lock on the folder as long as it lives, by
// which others see that it does; the kernel drops the lock when the process dies in whatever way, and a
// number of a process, which other machines and containers use too, is not needed.
type scratch struct {
	dir  string
	lock *os.File
}

// newScratch makes a folder of our own below root, and removes those whose owners are dead.
func newScratch(root string) (*scratch, error) {
	if err := makeFolder(root); err != nil {
		return nil, err
	}
	if err := sweep(root); err != nil {
		return nil, err
	}
	for {
		s, err := claim(root)
		if s != nil || err != nil {
			return s, err
		}
	}
}

// claim makes and locks a folder; nil when another process, sweeping, removed it in between.
func claim(root string) (*scratch, error) {
	dir, err := os.MkdirTemp(root, "")
	if err != nil {
		return nil, err
	}
	lock, err := os.Open(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		lock.Close()
		return nil, err
	}
	if _, err := os.Stat(dir); err != nil {
		lock.Close()
		return nil, nil
	}
	return &scratch{dir: dir, lock: lock}, nil
}

// sweep removes the folders of dead processes.
func sweep(root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := removeAbandoned(filepath.Join(root, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func removeAbandoned(dir string) error {
	lock, err := os.Open(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return nil // its owner lives
	}
	return os.RemoveAll(dir)
}

func (s *scratch) create() (*os.File, error) { return os.CreateTemp(s.dir, "") }

func (s *scratch) close() error {
	err := os.RemoveAll(s.dir)
	s.lock.Close()
	return err
}
