package cache

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"parley/internal/words/fault"
)

// copyBuffer is the size of a read, in bytes.
const copyBuffer = 128 << 10

// fetch downloads a blob, checks it, and keeps its file if there is room.
func (c *Cache) fetch(f *flight) (*File, error) {
	r, err := c.Blobs.Open(f.ctx, f.key, 0, f.size+1) // one byte more shows that a blob is too long
	if err != nil {
		return nil, fmt.Errorf("cached blob: %w", err)
	}
	defer r.Close()
	d := c.newDraft(f.size)
	defer d.close()
	hash := sha256.New()
	n, err := io.CopyBuffer(io.MultiWriter(hash, d), contextReader{f.ctx, r}, make([]byte, copyBuffer))
	c.fetched.Add(n)
	if err != nil {
		return nil, fmt.Errorf("cached blob: %w", err)
	}
	if n != f.size || [32]byte(hash.Sum(nil)) != f.sum {
		return nil, fault.New(fault.Internal, fault.CodeInternal,
			"blob %s does not have the expected size of %d bytes and sum %x: %w", f.key, f.size, f.sum, ErrCorrupt)
	}
	return c.publish(f, d)
}

// publish opens a complete download and makes it an entry.
func (c *Cache) publish(f *flight, d *draft) (*File, error) {
	if d.file == nil {
		return c.newFile(f.want, d.memory), nil
	}
	file, err := c.openFile(d.file, f.want)
	if err != nil {
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "cannot read a cached blob: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.stale || f.size > c.Size {
		return file, nil
	}
	if old := c.entries[f.key]; old != nil {
		c.drop(old)
	}
	c.evict(f.size)
	if err := os.Rename(d.file.Name(), c.path(f.key)); err != nil {
		c.complain(err)
		return file, nil
	}
	c.add(&entry{key: f.key, size: f.size, sum: f.sum, checked: true, touched: time.Now()})
	return file, nil
}

// draft collects the bytes of a download: in a temporary file or, if none can be written, in memory.
type draft struct {
	cache   *Cache
	size    int64    // expected
	file    *os.File // nil: in memory
	memory  []byte
	written int64
}

func (c *Cache) newDraft(size int64) *draft {
	d := &draft{cache: c, size: size}
	var err error
	if d.file, err = c.create(); err != nil {
		d.file, d.memory = nil, make([]byte, 0, size+1)
		d.unwritten(err)
	}
	return d
}

// Write implements io.Writer.
func (d *draft) Write(p []byte) (int, error) {
	if d.file != nil {
		_, err := d.file.Write(p)
		if err == nil {
			d.written += int64(len(p))
			return len(p), nil
		}
		d.unwritten(err)
		if err := d.spill(); err != nil {
			return 0, err
		}
	}
	d.memory = append(d.memory, p...)
	return len(p), nil
}

// spill moves what was written from the file to memory.
func (d *draft) spill() error {
	d.memory = make([]byte, d.written, d.size+1)
	if _, err := d.file.ReadAt(d.memory, 0); err != nil {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "cannot read a cached blob: %w", err)
	}
	d.close()
	d.file = nil
	return nil
}

// close removes the temporary file, unless it was renamed.
func (d *draft) close() {
	if d.file != nil {
		os.Remove(d.file.Name())
		d.file.Close()
	}
}

func (d *draft) unwritten(err error) {
	d.cache.mu.Lock()
	defer d.cache.mu.Unlock()
	d.cache.complain(err)
}

// complain counts a blob whose file could not be written, and logs that at most once a minute. The caller holds c.mu.
func (c *Cache) complain(err error) {
	c.unwritten.Add(1)
	if now := time.Now(); now.Sub(c.warned) >= time.Minute {
		c.warned = now
		c.Log.LogAttrs(c.ctx, slog.LevelWarn, "cached blob could not be written to the disk",
			slog.String("dir", c.Dir), slog.Any("error", err))
	}
}

// contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r contextReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}
