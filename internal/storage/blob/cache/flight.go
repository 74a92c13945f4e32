package cache

import (
	"context"
	"weak"
)

// flight is one load of a blob, shared by all Gets that wait for it. It runs in a goroutine of its own, which the cache
// owns: the flight ends when the blob is loaded, when nobody waits any more, or when the cache is closed.
type flight struct {
	want
	ctx     context.Context
	cancel  context.CancelFunc
	waiters int  // guarded by Cache.mu
	stale   bool // nobody may join, and the file is not kept; guarded by Cache.mu

	done    chan struct{} // closed when the fields below are final
	file    *File
	err     error
	fetched bool // the store was needed
}

// join returns the file if it is open already. Otherwise it returns the flight to wait for, starting it if necessary.
func (c *Cache) join(w want) (*File, *flight, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, errClosed
	}
	if file := c.shared[w].Value(); file != nil {
		c.hits.Add(1)
		if e := c.entries[w.key]; e != nil {
			c.touch(e)
		}
		return file, nil, nil
	}
	f := c.flights[w]
	if f == nil {
		f = &flight{want: w, done: make(chan struct{})}
		f.ctx, f.cancel = context.WithCancel(c.ctx)
		c.flights[w] = f
		c.running.Go(func() { c.run(f) })
	}
	f.waiters++
	return nil, f, nil
}

// leave ends one caller's wait, and the flight if it was the last one.
func (c *Cache) leave(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		c.detach(f)
		f.cancel()
	}
}

// detach makes the next Get start a new flight. Without it, a Get could join a flight that was canceled, and a flight
// could store a file after Forget. The caller holds c.mu.
func (c *Cache) detach(f *flight) {
	f.stale = true
	if c.flights[f.want] == f {
		delete(c.flights, f.want)
	}
}

// run loads a blob and passes it to those who wait.
func (c *Cache) run(f *flight) {
	defer f.cancel()
	file, err := c.load(f)
	if err != nil && c.ctx.Err() != nil {
		err = errClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && !f.stale {
		c.shared[f.want] = weak.Make(file)
	}
	c.detach(f)
	f.file, f.err = file, err
	close(f.done)
}

func (c *Cache) load(f *flight) (*File, error) {
	file, err := c.local(f.ctx, f.want)
	if err != nil || file != nil {
		return file, err
	}
	if err := acquire(f.ctx, c.downloads); err != nil {
		return nil, err
	}
	defer release(c.downloads)
	f.fetched = true
	return c.fetch(f)
}

func (c *Cache) count(f *flight) {
	if f.fetched {
		c.misses.Add(1)
	} else if f.err == nil {
		c.hits.Add(1)
	}
}

func acquire(ctx context.Context, semaphore chan struct{}) error {
	select {
	case semaphore <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func release(semaphore chan struct{}) { <-semaphore }
