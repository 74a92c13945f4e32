// Package cache makes blobs of a store available as local, memory-mapped files.
//
// It is for blobs that are immutable, encrypted before they are stored, and read often: the segments of an index. Each
// is asked for by key, size and SHA-256 sum, so bytes that are not the expected ones are never returned. The folder can
// be removed at any time when no process uses it.
//
// The package does not encrypt or decrypt, and does not write to the store.
package cache

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"parley/internal/host/filelock"
	"parley/internal/storage/blob"
	"parley/internal/words/fault"
)

// Config configures a Cache.
type Config struct {
	Dir       string // exclusive to this process
	Size      int64  // maximum bytes of complete files; the least recently used ones are removed
	Downloads int    // maximum concurrent downloads; 0: 8
	Blobs     blob.Store
	Log       *slog.Logger // nil: no log
}

// ErrCorrupt is the cause of an error of Get if the blob in the store does not have the expected size and sum. The
// error of a missing blob is a fault of kind NotFound instead.
var ErrCorrupt = errors.New("the blob is corrupt")

var errClosed = fault.New(fault.Unavailable, fault.CodeUnavailable, "the blob cache is closed")

// Cache is an open cache. It is safe for concurrent use.
type Cache struct {
	Config
	lock              *filelock.Lock
	downloads, checks chan struct{}            // semaphores: each element is a load in progress
	create            func() (*os.File, error) // creates a temporary file
	running           sync.WaitGroup           // flights
	ctx               context.Context          // ends with Close
	cancel            context.CancelCauseFunc

	hits, misses, fetched, unwritten atomic.Int64

	mu      sync.Mutex // held during short operations on the folder, too, so that files and entries agree
	closed  bool
	flights map[want]*flight
	shared  map[want]weak.Pointer[File] // files that callers may still use, whether or not they are in the folder
	entries map[string]*entry           // files in the folder, by blob key
	order   list.List                   // of *entry, the most recently used one first
	bytes   int64                       // of all entries
	warned  time.Time                   // of the latest message about files that cannot be written
}

// want is a blob as a caller expects it.
type want struct {
	key  string
	size int64
	sum  [32]byte
}

// Open returns a cache in a folder, which is created if it does not exist. If another process uses the folder, the
// cache uses one with the suffix -2, -3 and so on; Size applies to each of them.
func Open(c Config) (*Cache, error) {
	if c.Downloads <= 0 {
		c.Downloads = 8
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	lock, dir, err := lockFolder(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("blob cache: %w", err)
	}
	c.Dir = dir
	x := &Cache{Config: c, lock: lock, downloads: make(chan struct{}, c.Downloads),
		checks: make(chan struct{}, runtime.GOMAXPROCS(0)), flights: map[want]*flight{},
		shared: map[want]weak.Pointer[File]{}, entries: map[string]*entry{}}
	x.create = func() (*os.File, error) { return os.CreateTemp(x.Dir, "*"+unfinished) }
	x.ctx, x.cancel = context.WithCancelCause(context.Background())
	if err := x.scan(); err != nil {
		lock.Close()
		return nil, fmt.Errorf("blob cache: %w", err)
	}
	return x, nil
}

func lockFolder(first string) (lock *filelock.Lock, dir string, err error) {
	for n := 1; ; n++ {
		dir = first
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, "", err
		}
		lock, err := filelock.Try(filepath.Join(dir, "lock"))
		if !errors.Is(err, filelock.ErrBusy) {
			return lock, dir, err
		}
	}
}

// Close ends the downloads in progress, whose Gets fail, and releases the folder. Files that were returned stay valid.
func (c *Cache) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel(errClosed)
	c.running.Wait()
	return c.lock.Close()
}

// Get returns a blob, from the local disk or the store. The error is that of the store, a fault with the cause
// ErrCorrupt, or the context's. It returns at once when ctx ends, and does not fail because the local disk is full or
// not writable: it returns the blob in memory then.
func (c *Cache) Get(ctx context.Context, key string, size int64, sum [32]byte) (*File, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, err
	}
	if size < 0 {
		return nil, fault.New(fault.Invalid, fault.CodeParameter, "blob %s: the size %d is negative", key, size)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("cached blob: %w", context.Cause(ctx))
	}
	file, f, err := c.join(want{key, size, sum})
	if err != nil || file != nil {
		return file, err
	}
	select {
	case <-f.done:
		c.count(f)
		return f.file, f.err
	case <-ctx.Done():
		c.leave(f)
		return nil, fmt.Errorf("cached blob: %w", context.Cause(ctx))
	}
}

// Forget removes the file of a blob that was replaced or deleted, or whose key was destroyed. Files that were returned
// stay valid. A Get that is in progress is not disturbed, but its file is not kept.
func (c *Cache) Forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed { // the folder may be another process's
		return
	}
	for w, f := range c.flights {
		if w.key == key {
			c.detach(f)
		}
	}
	for w := range c.shared {
		if w.key == key {
			delete(c.shared, w)
		}
	}
	if e := c.entries[key]; e != nil {
		c.drop(e)
	}
}

// Stats are the figures of a cache. All but the first two count since Open.
type Stats struct {
	Files     int   // in the folder
	Bytes     int64 // of these files
	Hits      int64 // Gets that were answered without the store
	Misses    int64 // Gets that needed the store, failed ones included
	Fetched   int64 // bytes read from the store
	Unwritten int64 // blobs that were fetched but could not be written to the disk
}

// Stats returns the current figures.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{Files: len(c.entries), Bytes: c.bytes, Hits: c.hits.Load(), Misses: c.misses.Load(),
		Fetched: c.fetched.Load(), Unwritten: c.unwritten.Load()}
}
