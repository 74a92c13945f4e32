package modelstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Retries and time limits.
const (
	fruitless  = 5           // consecutive attempts without new data before giving up
	pause      = time.Second // before the second attempt; doubled each time
	idle       = time.Minute // maximum time without data from the server
	connecting = 30 * time.Second
	most       = 8 << 30 // bytes of a download of unknown size
)

// download is one file being downloaded into a part.
type download struct {
	client   *http.Client
	url      string
	part     part
	size     int64 // exact size in bytes; 0: unknown
	resume   bool  // even if the server sent no validator to detect a changed file
	progress func(done, total int64)
}

// permanentError is an error that a retry cannot fix.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// run downloads the file. It resumes an interrupted download, and retries as long as new data arrives.
func (d *download) run(ctx context.Context) error {
	for tries := 1; ; tries++ {
		before := d.part.size()
		err := d.try(ctx)
		if _, ok := errors.AsType[permanentError](err); ok || err == nil || ctx.Err() != nil {
			return cmp.Or(ctx.Err(), err)
		}
		if d.part.size() > before {
			tries = 1
		}
		if tries >= fruitless {
			return fmt.Errorf("%w; pull again to resume the download", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause << (tries - 1)):
		}
	}
}

// try requests the missing bytes once.
func (d *download) try(ctx context.Context) error {
	file, err := os.OpenFile(d.part.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return permanentError{err}
	}
	defer file.Close()
	from, err := d.start(file)
	if err != nil {
		return permanentError{err}
	}
	if d.size > 0 && from == d.size {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answer, err := d.ask(ctx, from)
	if err != nil {
		return d.unreachable(ctx, err)
	}
	defer answer.Body.Close()
	if answer.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", from) {
		return nil // 416: the part is already complete
	}
	total, err := d.accept(file, answer, &from)
	if err != nil {
		return err
	}
	return d.receive(ctx, cancel, file, answer.Body, from, total)
}

// start returns how many bytes of the part can be kept, and truncates the rest.
func (d *download) start(file *os.File) (int64, error) {
	from, o := d.part.size(), d.part.origin()
	if o.URL != d.url || o.validator() == "" && !d.resume || d.size > 0 && from > d.size {
		from = 0
	}
	if err := file.Truncate(from); err != nil {
		return 0, err
	}
	_, err := file.Seek(from, io.SeekStart)
	return from, err
}

func (d *download) ask(ctx context.Context, from int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "Parley")
	request.Header.Set("Accept-Encoding", "identity")
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		if v := d.part.origin().validator(); v != "" {
			request.Header.Set("If-Range", v)
		}
	}
	return d.client.Do(request)
}

// accept checks the status and headers of a response: whether it continues at from, restarts (from becomes 0), or is
// an error. It returns the size of the whole file, or 0 if unknown.
func (d *download) accept(file *os.File, answer *http.Response, from *int64) (total int64, err error) {
	switch status := answer.StatusCode; {
	case status == http.StatusPartialContent && *from > 0:
		at, whole, err := contentRange(answer.Header.Get("Content-Range"))
		if err == nil && at == *from {
			return whole, nil
		}
		return 0, errors.Join(errors.New("the server sent a different range than requested"), d.part.remove())
	case status == http.StatusOK:
		*from = 0
		if err := file.Truncate(0); err != nil {
			return 0, permanentError{err}
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return 0, permanentError{err}
		}
		total = max(answer.ContentLength, 0)
	case status == http.StatusRequestedRangeNotSatisfiable:
		return 0, errors.Join(errors.New("the file on the server is shorter than the partial download"),
			d.part.remove())
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return 0, fmt.Errorf("the server answered with status %d", status)
	default:
		return 0, permanentError{fmt.Errorf("%s answered with status %d", answer.Request.URL.Hostname(), status)}
	}
	o := origin{URL: d.url, ETag: answer.Header.Get("ETag"), Modified: answer.Header.Get("Last-Modified")}
	if err := d.part.setOrigin(o); err != nil {
		return 0, permanentError{full(err)}
	}
	return total, nil
}

// contentRange parses "bytes from-to/whole"; whole is 0 for "*".
func contentRange(value string) (from, whole int64, err error) {
	span, size, ok := strings.Cut(strings.TrimPrefix(value, "bytes "), "/")
	first, _, ok2 := strings.Cut(span, "-")
	if !ok || !ok2 {
		return 0, 0, fmt.Errorf("invalid Content-Range %q", value)
	}
	if from, err = strconv.ParseInt(first, 10, 64); err != nil || size == "*" {
		return from, 0, err
	}
	whole, err = strconv.ParseInt(size, 10, 64)
	return from, whole, err
}

// receive writes the body after from and verifies that it is complete.
func (d *download) receive(
	ctx context.Context, cancel context.CancelCauseFunc, file *os.File, body io.Reader, from, total int64,
) error {
	if d.size > 0 {
		if total > 0 && total != d.size {
			err := fmt.Errorf("%w: the file has %d bytes, not %d", ErrSum, total, d.size)
			return permanentError{errors.Join(err, d.part.remove())}
		}
		total = d.size
	}
	limit := cmp.Or(total, most)
	w := &meter{file: file, done: from, total: total, report: d.progress}
	timer := time.AfterFunc(idle, func() { cancel(errIdle) })
	defer timer.Stop()
	watched := &counter{ctx, body, func(int64) { timer.Reset(idle) }}
	_, err := io.Copy(w, io.LimitReader(watched, limit-from+1))
	switch {
	case w.err != nil:
		return permanentError{full(w.err)}
	case w.done > limit:
		err = fmt.Errorf("%w: the file is larger than %d bytes", ErrSum, limit)
		return permanentError{errors.Join(err, d.part.remove())}
	case err != nil:
		return d.unreachable(ctx, err)
	case total > 0 && w.done < total:
		return io.ErrUnexpectedEOF
	}
	if err := file.Sync(); err != nil {
		return permanentError{full(err)}
	}
	return nil
}

var errIdle = fmt.Errorf("timeout: no data from the server for %v", idle)

// unreachable returns the cause of a network error without the long URL.
func (d *download) unreachable(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause == errIdle {
		return cause
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return err
}

// full adds advice to a disk-full error.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return fmt.Errorf("the disk is full; free some space and pull again: %w", err)
	}
	return err
}

// meter writes data and reports the progress.
type meter struct {
	file        *os.File
	done, total int64
	err         error // of writing the file
	report      func(done, total int64)
}

// Write implements io.Writer.
func (m *meter) Write(p []byte) (int, error) {
	n, err := m.file.Write(p)
	m.done += int64(n)
	m.err = err
	m.report(m.done, m.total)
	return n, err
}

// newClient returns the default client: it follows redirects, as release pages require, and honours HTTPS_PROXY.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connecting}).DialContext,
		TLSHandshakeTimeout:   connecting,
		ResponseHeaderTimeout: idle,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true,
	}}
}
