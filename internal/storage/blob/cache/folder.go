package cache

import (
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/storage/blob"
)

// Complete files are called by their key, with "=" for "/", and extension. Other files have names that end in
// unfinished until they are complete. Files are not synced: after a loss of power, a complete file may have any
// content, but its sum is checked when it is first used after a restart.
const (
	extension  = ".blob"
	unfinished = ".new"
)

// granularity is the minimum time between changes of a file's modification time, which is its time of use.
const granularity = time.Minute

// entry is a complete file in the folder. Its fields are guarded by Cache.mu, except key and size, which are constant.
type entry struct {
	key     string
	size    int64
	sum     [32]byte // valid if checked
	checked bool     // false: the file is of an earlier process and was not used yet
	touched time.Time
	place   *list.Element // in Cache.order
}

func (c *Cache) path(key string) string {
	return filepath.Join(c.Dir, strings.ReplaceAll(key, "/", "=")+extension)
}

// scan finds the files of earlier processes and removes unfinished ones.
func (c *Cache) scan() error {
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	var found []*entry
	for _, f := range files {
		if strings.HasSuffix(f.Name(), unfinished) {
			os.Remove(filepath.Join(c.Dir, f.Name()))
		} else if e := entryOf(f); e != nil {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *entry) int { return a.touched.Compare(b.touched) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range found {
		c.add(e)
	}
	c.evict(0)
	return nil
}

// entryOf returns nil if the file is not one of the cache.
func entryOf(f fs.DirEntry) *entry {
	name, ours := strings.CutSuffix(f.Name(), extension)
	key := strings.ReplaceAll(name, "=", "/")
	info, err := f.Info()
	if !ours || err != nil || !info.Mode().IsRegular() || blob.CheckKey(key) != nil {
		return nil
	}
	e := &entry{key: key, size: info.Size(), touched: info.ModTime()}
	if now := time.Now(); e.touched.After(now) { // the clock was changed
		e.touched = now
	}
	return e
}

// local returns a blob from the folder, or nil if it must be fetched.
func (c *Cache) local(ctx context.Context, w want) (*File, error) {
	e, checked := c.find(w)
	if e == nil {
		return nil, nil
	}
	f, err := os.Open(c.path(w.key))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the file may be good: the process may have too many open files
	}
	var file *File
	if err == nil {
		defer f.Close()
		file, err = c.check(ctx, f, w, checked)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	current := c.entries[w.key] == e // not removed or replaced meanwhile
	if err != nil {
		c.Log.LogAttrs(ctx, slog.LevelWarn, "cached file removed", slog.String("blob", w.key), slog.Any("error", err))
		if current {
			c.drop(e)
		}
		return nil, nil
	}
	if current {
		e.sum, e.checked = w.sum, true
		c.touch(e)
	}
	return file, nil
}

// find returns the entry that may hold a blob, and whether its sum was checked.
func (c *Cache) find(w want) (e *entry, checked bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e = c.entries[w.key]
	if e == nil || e.checked && (e.sum != w.sum || e.size != w.size) { // another version of the blob
		return nil, false
	}
	return e, e.checked
}

// check opens a file, after it has checked the sum of a file of an earlier process. It reads that file, because a page
// fault of a mapping would block a thread that the garbage collector may have to wait for.
func (c *Cache) check(ctx context.Context, f *os.File, w want, checked bool) (*File, error) {
	file, err := c.openFile(f, w)
	if err != nil || checked {
		return file, err
	}
	if err := acquire(ctx, c.checks); err != nil {
		return nil, err
	}
	defer release(c.checks)
	hash := sha256.New()
	if _, err := io.CopyBuffer(hash, contextReader{ctx, f}, make([]byte, copyBuffer)); err != nil {
		return nil, err
	}
	if [32]byte(hash.Sum(nil)) != w.sum {
		return nil, errDiffers
	}
	return file, nil
}

// add makes an entry the most recently used one. The caller of add, evict, drop and touch holds c.mu.
func (c *Cache) add(e *entry) {
	e.place = c.order.PushFront(e)
	c.entries[e.key] = e
	c.bytes += e.size
}

// evict removes the least recently used files until there is room for a file.
func (c *Cache) evict(size int64) {
	for c.bytes+size > c.Size && c.order.Len() > 0 {
		c.drop(c.order.Back().Value.(*entry))
	}
}

// drop removes an entry and its file.
func (c *Cache) drop(e *entry) {
	c.order.Remove(e.place)
	delete(c.entries, e.key)
	c.bytes -= e.size
	if err := os.Remove(c.path(e.key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.Log.LogAttrs(c.ctx, slog.LevelWarn, "cached file could not be removed", slog.String("blob", e.key),
			slog.Any("error", err))
	}
}

// touch makes an entry the most recently used one, for later processes, too.
func (c *Cache) touch(e *entry) {
	c.order.MoveToFront(e.place)
	if now := time.Now(); now.Sub(e.touched) >= granularity {
		e.touched = now
		os.Chtimes(c.path(e.key), now, now) // a file that keeps its old time is removed earlier, which is harmless
	}
}
