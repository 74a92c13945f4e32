package callback

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/storage/job"
	"parley/internal/words/fault"
)

// errStalled means that a receiver stopped reading or did not answer.
var errStalled = errors.New("the receiver stopped reading, or did not answer in time")

// send makes one request. It returns the outcome, and how long to wait before the next try. Its error is that of a body
// that could not be read, which is not the receiver's fault and does not count as a try.
func (c *Caller) send(ctx context.Context, a *attempt, body Body) (delivery.Try, time.Duration, error) {
	try := delivery.Try{Attempt: a.delivery.Attempt, At: time.Now().UTC()}
	w := newWatch(ctx, cmp.Or(c.Patience, 30*time.Second))
	defer w.stop()
	answer, err := c.request(w, a, body, try.At)
	pause := delivery.Pause
	if err == nil {
		try.Status = answer.StatusCode
		beginning, _ := io.ReadAll(io.LimitReader(answer.Body, delivery.MaxAnswer))
		answer.Body.Close()
		try.Answer = delivery.Answer(answer.Header.Get("Content-Type"), beginning)
		pause = pauseOf(answer, time.Now())
	} else if broken := w.broken(); broken != nil {
		return try, 0, broken
	} else {
		try.Error = reason(w, err)
	}
	try.Took = max(time.Since(try.At), time.Microsecond)
	return try, pause, nil
}

func (c *Caller) request(w *watch, a *attempt, body Body, now time.Time) (*http.Response, error) {
	signatures, err := sign(w, a, body, now)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) {
		if body.Length == 0 {
			return http.NoBody, nil
		}
		return w.open(body)
	}
	content, err := open()
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(w.ctx, a.delivery.Method, a.delivery.URL, content)
	if err != nil {
		content.Close()
		return nil, errors.New("invalid URL")
	}
	r.ContentLength, r.GetBody = body.Length, open
	r.Header.Set("Content-Type", body.ContentType)
	r.Header.Set("User-Agent", "Parley")
	r.Header.Set("webhook-id", a.delivery.ID)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	if signatures != "" {
		r.Header.Set("webhook-signature", signatures)
	}
	return c.Client.Do(r)
}

// sign reads the body once, without keeping any of it.
func sign(w *watch, a *attempt, body Body, now time.Time) (string, error) {
	if len(a.secrets) == 0 {
		return "", nil
	}
	signer := delivery.NewSigner(a.secrets, a.delivery.ID, now)
	content, err := w.open(body)
	if err != nil {
		return "", err
	}
	defer content.Close()
	_, err = io.Copy(signer, content)
	return signer.Signatures(), err
}

// watch ends a request that makes no progress for some time. A large body may take as long as it keeps moving. watch
// distinguishes failures of the body from failures of the receiver.
type watch struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	patience time.Duration
	mu       sync.Mutex
	timer    *time.Timer
	failure  error // of the body
}

func newWatch(ctx context.Context, patience time.Duration) *watch {
	w := &watch{patience: patience}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(patience, func() { w.cancel(errStalled) })
	return w
}

func (w *watch) moved() {
	job.Progress(w.ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() == nil {
		w.timer.Reset(w.patience)
	}
}

func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// open opens the body. It keeps the errors of opening and reading it, until the body is closed or the request has
// ended.
func (w *watch) open(body Body) (io.ReadCloser, error) {
	content, err := body.Open(w.ctx)
	if err != nil {
		w.fail(err)
		return nil, err
	}
	return &progressBody{ReadCloser: content, watch: w}, nil
}

func (w *watch) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() == nil && w.failure == nil {
		w.failure = err
	}
}

// broken returns why the body could not be read; nil if it could.
func (w *watch) broken() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failure
}

// progressBody is a body that reports each read as progress of the request.
type progressBody struct {
	io.ReadCloser
	watch  *watch
	closed atomic.Bool
}

// Read implements io.Reader. An error after Close, which may happen at any time when the receiver has disconnected, is
// not a failure of the body.
func (r *progressBody) Read(p []byte) (int, error) {
	r.watch.moved()
	n, err := r.ReadCloser.Read(p)
	if err != nil && err != io.EOF && !r.closed.Load() {
		r.watch.fail(err)
	}
	return n, err
}

// Close implements io.Closer.
func (r *progressBody) Close() error {
	r.closed.Store(true)
	return r.ReadCloser.Close()
}

// reason describes why there was no answer. It omits the URL, which may contain secrets, and addresses of the internal
// network.
func reason(w *watch, err error) string {
	if errors.Is(context.Cause(w.ctx), errStalled) {
		return errStalled.Error()
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err
	}
	return fault.Brief(err, delivery.MaxAnswer)
}
