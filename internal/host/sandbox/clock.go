//go:build unix

package sandbox

import (
	"context"
	"time"
)

// A child's own time is wall-clock time without what it waits for a processor or a disk: what it works, whatever else
// the machine does, and what it sleeps. So a deadline in it ends a child that works too long and one that hangs, and
// not one that a busy machine keeps waiting. Time in which several threads work counts once.

// widest is how much longer than its own time a child may take by the wall clock, on the busiest machine.
const widest = 100

// looks is how often a child is looked at within its time, and most seldom.
const (
	looks  = 20
	seldom = time.Second
)

// usage is what a process has used since its start; known is false where that cannot be told.
type usage struct {
	ran, waited time.Duration // of all its threads, on processors and for them; the kernel adds a wait when it is over
	waits       bool          // a thread waits at this moment, or runs
	known       bool
}

// meter adds up a child's own time from looks at it.
type meter struct {
	at        time.Time
	last      usage
	own, wall time.Duration
}

// look adds what has passed since the last look. Where it is not known what the child used, all of it counts.
func (m *meter) look(now time.Time, u usage) {
	passed := now.Sub(m.at)
	ran, waited := u.ran-m.last.ran, u.waited-m.last.waited
	counts := passed
	switch {
	case !u.known || !m.last.known:
	case u.waits:
		counts = max(min(ran, passed), 0)
	default:
		counts = max(passed-max(waited, 0), min(ran, passed), 0)
	}
	m.at, m.last = now, u
	m.own += counts
	m.wall += passed
}

// Watch calls over, once, when a child has had a time of its own, until stop is called. over must not wait.
func Watch(pid int, limit time.Duration, over func()) (stop func()) {
	ended := make(chan struct{})
	m := meter{at: time.Now(), last: usageOf(pid)}
	go func() {
		timer := time.NewTimer(0)
		defer timer.Stop()
		for m.own < limit && m.wall < widest*limit {
			timer.Reset(min(max(limit/looks, time.Millisecond), seldom, limit-m.own))
			select {
			case <-ended:
				return
			case now := <-timer.C:
				m.look(now, usageOf(pid))
			}
		}
		over()
	}()
	return func() { close(ended) }
}

// WithTime returns a context that ends, with cause, when a child has had a time of its own. Call cancel in any case.
func WithTime(ctx context.Context, pid int, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	stop := Watch(pid, limit, func() { end(cause) })
	return ctx, func() {
		stop()
		end(context.Canceled)
	}
}
