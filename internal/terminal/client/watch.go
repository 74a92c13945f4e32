package client

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// silence is how long a server may take nothing of a request and send nothing of its answer. Statements of the query
// language may take half a minute, and wait for others before.
const silence = 5 * time.Minute

var errSilent = errors.New("the server neither took nor sent anything for 5 minutes")

// watch ends a request when no byte of it or of its answer has moved for a time.
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

// watched is a body whose bytes reset a watch.
type watched struct {
	io.ReadCloser
	watch  *watch
	last   bool // closing it ends the request
	closed atomic.Bool
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.closed.Load() {
		b.watch.timer.Reset(b.watch.after)
	}
	return n, err
}

func (b *watched) Close() error {
	b.closed.Store(true)
	err := b.ReadCloser.Close()
	if b.last {
		b.watch.stop()
		b.watch.cancel(nil)
	}
	return err
}
