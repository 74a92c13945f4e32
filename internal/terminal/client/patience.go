package client

import (
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

// Patience says how long requests are repeated while a server is away or busy, as it is when it restarts.
type Patience struct {
	For  time.Duration                        // since the first failure; 0: DefaultPatience
	Tell func(err error, pause time.Duration) // is called before each pause; nil: nobody is
}

// DefaultPatience covers the restart of a server and of the proxy before it.
const DefaultPatience = 2 * time.Minute

// longestPause is the most that is waited between two requests, unless the server asks for more.
const longestPause = 15 * time.Second

// Away is the error of a server that was away or busy for longer than the patience lasted.
type Away struct {
	For   time.Duration
	Cause error
}

// Error says for how long the server was asked.
func (a *Away) Error() string {
	return fmt.Sprintf("the server was away or busy, and is not asked for longer than %s: %v", a.For, a.Cause)
}

// Unwrap returns the last failure.
func (a *Away) Unwrap() error { return a.Cause }

// Do calls do, which must be safe to repeat, until it succeeds or fails for a reason that time does not change. Pauses
// are 1, 2, 4, 8 and then 15 seconds; where the server names a time, at least that.
func (p Patience) Do(ctx context.Context, do func() error) error {
	limit := p.For
	if limit == 0 {
		limit = DefaultPatience
	}
	began := time.Now()
	for try := 0; ; try++ {
		err := do()
		if err == nil || ctx.Err() != nil || !passing(err) {
			return err
		}
		pause := min(time.Second<<min(try, 4), longestPause)
		if refused, ok := errors.AsType[*Error](err); ok {
			pause = max(pause, refused.RetryAfter)
		}
		if time.Since(began)+pause > limit {
			return &Away{limit, err}
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

// passing reports whether an error may be over in a while: the server, or the proxy before it, refuses requests for
// now, or the connection to it was refused or lost.
func passing(err error) bool {
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
		strings.Contains(asked.Err.Error(), "server closed idle connection") // net/http has no error value for it
}

// Busy reports whether the same request may be accepted later.
func (e *Error) Busy() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
