//go:build unix

// Package disk stores blobs durably in a local folder.
//
// A blob is written to a temporary file, synced and renamed to its final path; then its folder is synced. The path is
// DIR/blobs/SHARD/NAME: NAME is the key with "=" for "/", SHARD one of 256 folders, chosen by the hash of the key's
// first two names, so that all keys that share them are in one folder. A SHARD is created for its first blob. Several
// processes may share DIR.
//
// The package does not compress, encrypt or expire blobs. It writes in chunks of 64 KiB, whatever the blob's size.
package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"parley/internal/host/durable"
	"parley/internal/host/scratch"
	"parley/internal/storage/blob"
	"parley/internal/words/fault"
)

// Config sets where blobs are stored.
type Config struct {
	Dir     string // created if missing
	Reserve uint64 // bytes that must stay free on the file system; Put fails beyond
}

// Store is a blob.Store in a folder.
type Store struct {
	dir     string
	reserve uint64
	temp    *scratch.Folder
	buffers sync.Pool
	create  func() (*os.File, error) // creates a temporary file
	page    int                      // number of keys that List holds in memory
	made    [shards]atomic.Bool      // shard folders known to exist durably
}

// Open creates missing folders, removes unfinished files of dead processes, and returns the store. An error is a fault
// of kind Unavailable.
func Open(c Config) (*Store, error) {
	dir := filepath.Join(c.Dir, "blobs")
	unfinished := filepath.Join(c.Dir, "unfinished")
	if err := errors.Join(durable.MakeFolders(dir), durable.MakeFolders(unfinished)); err != nil {
		return nil, unavailable("create the folders of the blob store", err)
	}
	temp, err := scratch.New(unfinished)
	if err != nil {
		return nil, unavailable("create the folder of unfinished blobs", err)
	}
	s := &Store{dir: dir, reserve: c.Reserve, temp: temp, create: temp.Create, page: page}
	s.buffers.New = func() any { return new([copyBuffer]byte) }
	return s, nil
}

// Close removes the store's temporary folder. Puts in progress fail.
func (s *Store) Close() error { return s.temp.Close() }

// Put implements blob.Store. It costs two syncs, which the file system batches across concurrent calls.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (size int64, err error) {
	if err := blob.CheckKey(key); err != nil {
		return 0, err
	}
	if err := s.roomLeft(); err != nil {
		return 0, err
	}
	f, err := s.create()
	if err != nil {
		return 0, unavailable("create a blob", err)
	}
	size, err = s.fill(ctx, f, r)
	if err == nil {
		err = s.publish(f.Name(), key)
	}
	if err != nil {
		os.Remove(f.Name())
		return 0, err
	}
	return size, nil
}

// fill writes, syncs and closes a temporary file.
func (s *Store) fill(ctx context.Context, f *os.File, r io.Reader) (int64, error) {
	size, err := s.copy(ctx, f, r)
	if err == nil {
		err = wrap("write a blob", f.Sync())
	}
	if closed := f.Close(); err == nil {
		err = wrap("write a blob", closed)
	}
	return size, err
}

// copyBuffer is the size of a write, in bytes. Each upload has one buffer, however slowly it arrives.
const copyBuffer = 64 << 10

// roomCheck is the number of bytes of one blob after which the free space is checked again.
const roomCheck = 16 << 20

func (s *Store) copy(ctx context.Context, f *os.File, r io.Reader) (size int64, err error) {
	buf := s.buffers.Get().(*[copyBuffer]byte)
	defer s.buffers.Put(buf)
	for checked := int64(0); ; {
		if err := context.Cause(ctx); err != nil {
			return size, fmt.Errorf("store blob: %w", err)
		}
		n, readErr := r.Read(buf[:])
		if _, err := f.Write(buf[:n]); err != nil {
			return size, unavailable("write a blob", err)
		}
		size += int64(n)
		if readErr == io.EOF {
			return size, nil
		}
		if readErr != nil {
			return size, fmt.Errorf("store blob: read: %w", readErr)
		}
		if size-checked >= roomCheck {
			checked = size
			if err := s.roomLeft(); err != nil {
				return size, err
			}
		}
	}
}

// publish renames a finished file to its final path. If the sync of the folder fails, the state after a crash would be
// unknown, so the blob is removed again.
func (s *Store) publish(temp, key string) error {
	place := s.place(key)
	if err := s.makeShard(shardOf(key)); err != nil {
		return unavailable("create a folder of the blob store", err)
	}
	if err := os.Rename(temp, place); err != nil {
		return unavailable("store a blob", err)
	}
	if err := durable.Folder(filepath.Dir(place)); err != nil {
		os.Remove(place)
		return unavailable("store a blob", err)
	}
	return nil
}

// Open implements blob.Store.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := errors.Join(check(ctx, "open", key), blob.CheckRange(offset, length)); err != nil {
		return nil, err
	}
	f, err := os.Open(s.place(key))
	if err != nil {
		return nil, missing(key, err)
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, unavailable("read a blob", err)
	}
	if length < 0 {
		return f, nil
	}
	return &part{LimitedReader: io.LimitedReader{R: f, N: length}, Closer: f}, nil
}

// part is a range of a file.
type part struct {
	io.LimitedReader
	io.Closer
}

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := check(ctx, "describe", key); err != nil {
		return blob.Info{}, err
	}
	info, err := os.Stat(s.place(key))
	if err != nil {
		return blob.Info{}, missing(key, err)
	}
	return blob.Info{Key: key, Size: info.Size(), Modified: info.ModTime()}, nil
}

// Delete implements blob.Store. The removal is durable when it returns.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, "delete", key); err != nil {
		return err
	}
	place := s.place(key)
	if err := os.Remove(place); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return unavailable("delete a blob", err)
	}
	return wrap("delete a blob", durable.Folder(filepath.Dir(place)))
}

// check returns an error if the key is invalid or ctx has ended.
func check(ctx context.Context, what, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("%s blob: %w", what, err)
	}
	return nil
}

func missing(key string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, fault.CodeNotFound, "no blob %s", key)
	}
	return unavailable("read a blob", err)
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return unavailable(what, err)
}

// unavailable returns an error with the failed operation and the system's reason, without paths.
func unavailable(what string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	} else if l, ok := errors.AsType[*os.LinkError](err); ok {
		err = l.Err
	}
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "cannot %s: %w", what, err)
}

// fileName and keyName convert keys to file names and back.
func fileName(key string) string { return strings.ReplaceAll(key, "/", "=") }
func keyName(name string) string { return strings.ReplaceAll(name, "=", "/") }

// Path returns the file of a blob, which may not exist.
func (s *Store) Path(key string) string { return s.place(key) }

func (s *Store) place(key string) string {
	return filepath.Join(s.dir, shardName(shardOf(key)), fileName(key))
}
