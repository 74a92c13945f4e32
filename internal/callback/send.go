package callback

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"parley/internal/delivery"
)

// errStalled says that a receiver stopped reading or did not answer.
var errStalled = errors.New("the receiver neither reads nor answers")

// send makes one request. It returns what came of it, and how long to wait before the next.
func (c *Caller) send(ctx context.Context, a *attempt, body Body) (delivery.Try, time.Duration) {
	try := delivery.Try{Attempt: a.delivery.Attempt, At: time.Now().UTC()}
	w := newWatch(ctx, c.patience())
	defer w.stop()
	answer, err := c.request(w, a, body, try.At)
	pause := delivery.Pause
	if err == nil {
		try.Status = answer.StatusCode
		try.Answer, _ = io.ReadAll(io.LimitReader(answer.Body, delivery.MaxAnswer))
		answer.Body.Close()
		pause = pauseOf(answer, time.Now())
	} else {
		try.Error = reason(w, err)
	}
	try.Took = max(time.Since(try.At), time.Microsecond)
	return try, pause
}

func (c *Caller) patience() time.Duration {
	if c.Patience > 0 {
		return c.Patience
	}
	return 30 * time.Second
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
		content, err := body.Open(w.ctx)
		return watched{content, w}, err
	}
	content, err := open()
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(w.ctx, a.delivery.Method, a.delivery.URL, content)
	if err != nil {
		content.Close()
		return nil, errors.New("the address is not a URL")
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

// sign reads the body once; nothing of it is kept.
func sign(w *watch, a *attempt, body Body, now time.Time) (string, error) {
	if len(a.secrets) == 0 {
		return "", nil
	}
	signer := delivery.NewSigner(a.secrets, a.delivery.ID, now)
	content, err := body.Open(w.ctx)
	if err != nil {
		return "", err
	}
	defer content.Close()
	_, err = io.Copy(signer, watched{content, w})
	return signer.Signatures(), err
}

// watch ends a request when nothing moves for a while. A large body may take as long as it goes on.
type watch struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	patience time.Duration
	mu       sync.Mutex
	timer    *time.Timer
}

func newWatch(ctx context.Context, patience time.Duration) *watch {
	w := &watch{patience: patience}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(patience, func() { w.cancel(errStalled) })
	return w
}

func (w *watch) moved() {
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

// watched is a body whose reading shows that the request goes on.
type watched struct {
	io.ReadCloser
	watch *watch
}

func (r watched) Read(p []byte) (int, error) {
	r.watch.moved()
	return r.ReadCloser.Read(p)
}

// reason says why there was no answer, without the address, which may hold secrets, and without addresses of this
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
	text := err.Error()
	return text[:min(len(text), delivery.MaxAnswer)]
}
