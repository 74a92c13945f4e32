package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	"parley/internal/host/fair"
	"parley/internal/words/fault"
)

// How patient a client is.
const (
	tries      = 3
	pause      = 500 * time.Millisecond // before the second try; doubled for the third
	maxWait    = 30 * time.Second       // longest Retry-After that is waited for
	maxAnswer  = 16 << 20               // bytes
	connecting = 10 * time.Second
)

// timeLimit is how long a service may take over audio of a length, one try.
func timeLimit(audio time.Duration) time.Duration { return time.Minute + 4*audio }

// Client asks a service, a limited number of times at once. It is safe for concurrent use.
type Client struct {
	name, keyName string
	http          http.Client
	room          *fair.Room // for the questions under way
}

// NewClient returns a client of an endpoint. A nil transport is a pool of connections of its own, which obeys
// HTTPS_PROXY and NO_PROXY.
func NewClient(e Endpoint, transport http.RoundTripper) *Client {
	if transport == nil {
		transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: connecting}).DialContext,
			TLSHandshakeTimeout: connecting,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: e.Parallel,
			IdleConnTimeout:     time.Minute,
		}
	}
	limits := fair.Limits{All: max(e.Parallel, 1), Each: max(e.Parallel, 1), Queue: math.MaxInt, Keep: fair.Nothing}
	return &Client{
		name: e.Name, keyName: e.KeyName, room: fair.NewRoom(limits),
		// A redirect would resend audio and key to where nobody configured them.
		http: http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
}

// Exchange is one question to a service.
type Exchange struct {
	Audio   time.Duration // length of the audio; the time limit follows from it
	Request func(ctx context.Context) (*http.Request, error)
	Read    func(answer []byte) error // understands an answer; an error that is no fault means that it is broken
}

// Do asks until there is a good answer, at most three times, waiting in between as long as the service says.
// Errors are faults that name the engine but no address:
//
//	Unavailable  away, overloaded, too slow, broken answers, key refused, wrong address: the request is worth repeating
//	Invalid      the service does not take this audio
//	Internal     the answer is larger than any of speech can be
//
// or the context's, when that ends.
func (c *Client) Do(ctx context.Context, x Exchange) error {
	leave, err := c.room.Enter(ctx, fair.Account(ctx))
	if err != nil {
		return ctx.Err()
	}
	defer leave()
	for try := 1; ; try++ {
		failed := c.try(ctx, x)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case failed == nil:
			return nil
		case !failed.again || try == tries || failed.after > maxWait:
			return failed.err
		}
		if err := sleep(ctx, max(failed.after, backoff(try))); err != nil {
			return err
		}
	}
}

// failure is what a try came to.
type failure struct {
	err   error
	again bool          // whether a quick repetition may help
	after time.Duration // what the service asked to wait
}

func (c *Client) try(ctx context.Context, x Exchange) *failure {
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit(x.Audio), errSlow)
	defer cancel()
	request, err := x.Request(ctx)
	if err != nil {
		return &failure{err: fmt.Errorf("engine %s: %w", c.name, err)}
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return c.broken(ctx, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return c.broken(ctx, err)
	case len(body) > maxAnswer:
		return &failure{err: fault.New(fault.Internal, fault.CodeEngineFailed,
			"engine %s answered with more than %d MB", c.name, maxAnswer>>20)}
	case answer.StatusCode/100 != 2:
		return c.refused(answer, body)
	}
	if err := x.Read(body); err != nil {
		if _, ok := errors.AsType[*fault.Error](err); ok {
			return &failure{err: err}
		}
		return &failure{again: true, err: c.unavailable("its answer is unreadable: %w", err)}
	}
	return nil
}

var errSlow = errors.New("no answer in time")

// broken makes a failure of a connection that could not be made or broke off. After the time limit there is
// no quick repetition: a service that hangs is left to the job's own patience.
func (c *Client) broken(ctx context.Context, err error) *failure {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err // without addresses of this side
	}
	slow := context.Cause(ctx) == errSlow
	if slow {
		err = errSlow
	}
	return &failure{again: !slow, err: c.unavailable("%w", err)}
}

func (c *Client) unavailable(format string, args ...any) error {
	return fault.New(fault.Unavailable, fault.CodeEngineFailed, "engine "+c.name+": "+format, args...)
}

// backoff is the pause after a try, with up to half as much again, so that many clients do not come back together.
func backoff(try int) time.Duration {
	d := pause << (try - 1)
	return d + rand.N(d/2)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
