//go:build unix

// Package filelock implements exclusive locks between processes on files and folders.
//
// The kernel releases a lock when its process ends, for whatever reason. A lock file is not removed on release:
// otherwise two processes could hold two locks with the same name.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ErrBusy is the error when the lock is held by another holder.
var ErrBusy = errors.New("another process holds the lock")

// again is the polling interval of Wait.
const again = 20 * time.Millisecond

// Lock is a held lock.
type Lock struct{ file *os.File }

// Close releases the lock.
func (l *Lock) Close() error { return l.file.Close() }

// Try locks a folder or file. A missing file is created, accessible by this user only. The error is ErrBusy if another
// holder, in this process or another one, has the lock.
func Try(path string) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, unix.EISDIR) {
		file, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	return Take(file)
}

// Take locks an open file and takes ownership of it: the file is closed when the lock is released, or if locking fails.
func Take(file *os.File) (*Lock, error) {
	if err := flock(file, unix.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return &Lock{file}, nil
}

// flock locks an open file without waiting.
func flock(file *os.File, how int) error {
	for {
		switch err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrBusy
		case err != nil:
			return fmt.Errorf("lock %s: %w", file.Name(), err)
		default:
			return nil
		}
	}
}

// Wait is Try, but waits until the lock is free. The error is ErrBusy with the context's error if that ends first.
func Wait(ctx context.Context, path string) (*Lock, error) {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		l, err := Try(path)
		if !errors.Is(err, ErrBusy) {
			return l, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
		}
	}
}

// Held reports whether the lock of a file or folder is held; that of a missing one is not. Concurrent calls do not
// influence each other's result.
func Held(path string) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	err = flock(file, unix.LOCK_SH)
	if errors.Is(err, ErrBusy) {
		return true, nil
	}
	return false, err
}
