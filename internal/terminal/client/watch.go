package client

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// silence is the time limit without progress: how long the server may neither read the request nor send its answer.
// Statements of the query language may run for half a minute, after waiting for others.
const silence = 5 * time.Minute

var errSilent = errors.New("the server neither received nor sent anything for 5 minutes")

// watch ends a request when no byte of it or of its answer has moved for some time.
type watch struct {
	timer  *time.Timer
	after  time.Duration
	cancel context.CancelCauseFunc
}

func newWatch(cancel context.CancelCauseFunc) *watch {
	w := &watch{after: silence, cancel: cancel}
	w.timer = time.AfterFunc(w.after, func() { cancel(errSilent) })
	return w
}

func (w *watch) stop() { w.timer.Stop() }

// watchedBody is a body that resets a watch with every byte.
type watchedBody struct {
	io.ReadCloser
	watch  *watch
	last   bool // closing it ends the request
	closed atomic.Bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.closed.Load() {
		b.watch.timer.Reset(b.watch.after)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.closed.Store(true)
	err := b.ReadCloser.Close()
	if b.last {
		b.watch.stop()
		b.watch.cancel(nil)
	}
	return err
}
