package netguard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"parley/internal/words/fault"
)

// fetchRedirects bounds the redirects that Fetch follows.
const fetchRedirects = 5

// Fetch sends a GET request and returns the body, which the caller closes, and the Content-Type as sent. Errors are
// faults that contain neither path nor query of the URL, which may hold secrets:
//
//	Invalid, CodeMediaURLMalformed        the address, or one it redirects to, is malformed or not allowed
//	Invalid, CodeMediaURLStatus           an answer other than 200 that asking again will not change, such as 404
//	TooLarge, CodeTooLarge                more than limit bytes, known at once or while reading
//	Unavailable, CodeMediaURLUnreachable  no answer
//	Unavailable, CodeMediaURLStatus       an answer that may be another next time: 5xx, 408, 425, 429
//
// Reading the body fails with CodeMediaURLUnreachable if the connection breaks or a timeout expires.
func (g *Guard) Fetch(ctx context.Context, address string, limit int64) (io.ReadCloser, string, error) {
	if err := g.CheckURL(address); err != nil {
		return nil, "", err
	}
	d := &download{caller: ctx, limit: limit, left: limit, idle: g.config.Idle}
	ctx, d.cancel = context.WithTimeoutCause(ctx, g.config.Total, errTotal)
	d.ctx = ctx
	if err := d.begin(g, address); err != nil {
		d.cancel()
		return nil, "", err
	}
	return d, d.answer.Header.Get("Content-Type"), nil
}

var (
	errTotal = errors.New("the download exceeded its time limit")
	errIdle  = errors.New("the server stopped sending data")
)

// download is a response body with limits.
type download struct {
	ctx, caller context.Context
	cancel      context.CancelFunc
	answer      *http.Response
	host        string
	limit, left int64 // allowed bytes in total, and remaining
	idle        time.Duration
}

func (d *download) begin(g *Guard, address string) error {
	request, err := http.NewRequestWithContext(d.ctx, http.MethodGet, address, nil)
	if err != nil {
		return malformed("the address is not a URL")
	}
	request.Header.Set("User-Agent", "Parley")
	request.Header.Set("Accept", "*/*")
	d.host = request.URL.Hostname()
	client := http.Client{Transport: checkingTransport{g}, CheckRedirect: g.redirects(fetchRedirects)}
	if d.answer, err = client.Do(request); err != nil {
		return d.unreachable(err)
	}
	if err := d.look(); err != nil {
		d.answer.Body.Close()
		return err
	}
	return nil
}

// look checks the status and headers of a response.
func (d *download) look() error {
	if status := d.answer.StatusCode; status != http.StatusOK {
		return fault.New(kindOf(status), fault.CodeMediaURLStatus, "%s answered with status %d",
			d.answer.Request.URL.Hostname(), status)
	}
	if d.answer.ContentLength > d.limit {
		return d.tooLarge()
	}
	return nil
}

// kindOf distinguishes a temporary status from a permanent one.
func kindOf(status int) fault.Kind {
	switch {
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusTooEarly,
		status == http.StatusTooManyRequests:
		return fault.Unavailable
	}
	return fault.Invalid
}

// Read implements io.Reader. A pause longer than the idle timeout ends the download.
func (d *download) Read(p []byte) (int, error) {
	pause := time.AfterFunc(d.idle, d.cancel)
	n, err := d.answer.Body.Read(p)
	stalled := !pause.Stop()
	if d.left -= int64(n); d.left < 0 {
		return 0, d.tooLarge()
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	if stalled && d.caller.Err() == nil {
		err = errIdle
	}
	return n, d.unreachable(err)
}

// Close ends the download.
func (d *download) Close() error {
	d.cancel()
	return d.answer.Body.Close()
}

func (d *download) tooLarge() error {
	return fault.New(fault.TooLarge, fault.CodeTooLarge,
		"the file at %s is larger than %d MB, the limit of this server (--max-upload)", d.host, d.limit>>20)
}

// unreachable converts the error of a request to a fault; an error of the caller's context is returned unchanged.
func (d *download) unreachable(err error) error {
	if d.caller.Err() != nil {
		return fmt.Errorf("fetch from %s: %w", d.host, context.Cause(d.caller))
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f // a redirect to an address that CheckURL refuses
	}
	if r, ok := errors.AsType[*Refused](err); ok {
		return fault.New(fault.Invalid, fault.CodeMediaURLMalformed, "%w", r)
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err // without addresses of this side
	}
	if context.Cause(d.ctx) == errTotal {
		err = errTotal
	}
	return fault.New(fault.Unavailable, fault.CodeMediaURLUnreachable, "%s cannot be reached: %w", d.host, err)
}
