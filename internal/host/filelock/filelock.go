//go:build unix

// Package filelock is locks on files and folders that one process holds at a time.
//
// The kernel gives a lock back when its process ends, in whatever way. A locked file stays when its lock is given back,
// or two processes could hold two locks of one name.
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

// ErrBusy is the error where somebody else holds the lock.
var ErrBusy = errors.New("another process holds the lock")

// again is how often Wait looks.
const again = 20 * time.Millisecond

// Lock is a lock that is held.
type Lock struct{ file *os.File }

// Close gives the lock back.
func (l *Lock) Close() error { return l.file.Close() }

// Try locks a folder, or a file, which is made for this user alone if it is not there. ErrBusy when somebody else,
// also in this process, holds its lock.
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

// Take locks what is open as a file, which belongs to the lock from then on: it is closed when the lock is
// given back, or could not be had.
func Take(file *os.File) (*Lock, error) {
	if err := flock(file, unix.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return &Lock{file}, nil
}

// flock locks an open file where that can be done at once.
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

// Wait locks as Try does as soon as nobody else holds the lock. ErrBusy with the context's error when that ends first.
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

// Held tells whether somebody holds the lock of a file or folder; nobody holds one that is not there. Others who ask
// at the same time get the same answer.
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
