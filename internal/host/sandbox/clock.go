//go:build unix

package sandbox

import (
	"context"
	"time"
)

// A child's own time is wall-clock time minus the time it waits for a processor or a disk. It includes computing and
// sleeping. A deadline in own time ends a child that computes too long or hangs, but not one that is slowed down by a
// busy machine. Time in which several threads compute counts once.

// widest bounds a child's wall-clock time as a multiple of its own time, on the busiest machine.
const widest = 100

// looks is how often a child is sampled within its time limit; seldom is the longest sampling interval.
const (
	looks  = 20
	seldom = time.Second
)

// usage is what a process has used since its start; known is false if it cannot be determined.
type usage struct {
	ran, waited time.Duration // of all its threads, running and runnable; the kernel adds a wait when it ends
	waits       bool          // a thread waits or runs at the moment
	known       bool
}

// meter accumulates a child's own time from samples.
type meter struct {
	at        time.Time
	last      usage
	own, wall time.Duration
}

// look adds the time since the previous sample. If the usage is unknown, all of the elapsed time counts.
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

// Watch calls over once when a child has used up its own time, unless stop is called before. over must not block.
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

// WithTime returns a context that ends, with cause, when a child has used up its own time. The caller must call cancel.
func WithTime(ctx context.Context, pid int, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	stop := Watch(pid, limit, func() { end(cause) })
	return ctx, func() {
		stop()
		end(context.Canceled)
	}
}
