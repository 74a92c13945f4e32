package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Patience configures how long requests are retried while a server is unavailable or busy, for example during a
// restart.
type Patience struct {
	For  time.Duration                        // since the first failure; 0: DefaultPatience
	Tell func(err error, pause time.Duration) // called before each pause; may be nil
}

// DefaultPatience covers the restart of a server and of a proxy in front of it.
const DefaultPatience = 2 * time.Minute

// longestPause is the maximum pause between two requests, unless the server asks for more.
const longestPause = 15 * time.Second

// Unavailable is the error for a server that stayed unavailable or busy until the patience was used up.
type Unavailable struct {
	For   time.Duration
	Cause error
}

// Error includes how long the request was retried.
func (a *Unavailable) Error() string {
	return fmt.Sprintf("the server stayed unavailable or busy; stopped retrying after %s: %v", a.For, a.Cause)
}

// Unwrap returns the last failure.
func (a *Unavailable) Unwrap() error { return a.Cause }

// Do calls do, which must be safe to repeat, until it succeeds or fails with a permanent error. Pauses are 1, 2, 4, 8
// and then 15 seconds, and at least the time that the server names.
func (p Patience) Do(ctx context.Context, do func() error) error {
	limit := cmp.Or(p.For, DefaultPatience)
	began := time.Now()
	for try := 0; ; try++ {
		err := do()
		if err == nil || ctx.Err() != nil || !temporary(err) {
			return err
		}
		pause := min(time.Second<<min(try, 4), longestPause)
		if refused, ok := errors.AsType[*Error](err); ok {
			pause = max(pause, refused.RetryAfter)
		}
		if time.Since(began)+pause > limit {
			return &Unavailable{limit, err}
		}
		if p.Tell != nil {
			p.Tell(err, pause)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// temporary reports whether an error may be temporary: the server, or a proxy in front of it, refuses requests for now,
// or the connection was refused or lost.
func temporary(err error) bool {
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused.Busy()
	}
	for _, lost := range []error{
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, syscall.EHOSTUNREACH,
		syscall.ENETUNREACH,
		io.ErrUnexpectedEOF,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	asked, ok := errors.AsType[*url.Error](err)
	if !ok {
		return false
	}
	slow, ok := errors.AsType[net.Error](asked.Err)
	return ok && slow.Timeout() || errors.Is(asked.Err, io.EOF) ||
		strings.Contains(asked.Err.Error(), "server closed idle connection") // net/http exports no error value for it
}

// Busy reports whether the same request may be accepted later.
func (e *Error) Busy() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
