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

// Retries and time limits.
const (
	tries      = 3
	pause      = 500 * time.Millisecond // before the second attempt; doubled for the third
	maxWait    = 30 * time.Second       // longest Retry-After that is honoured
	maxAnswer  = 16 << 20               // bytes
	connecting = 10 * time.Second
)

// timeLimit is the timeout of one attempt for audio of the given length.
func timeLimit(audio time.Duration) time.Duration { return time.Minute + 4*audio }

// Client is a client of a service, with a limited number of concurrent requests. It is safe for concurrent use.
type Client struct {
	endpoint Endpoint
	http     http.Client
	room     *fair.Room // limits the concurrent requests
}

// NewClient returns a client for an endpoint. If transport is nil, the client uses a connection pool of its own,
// which honours HTTPS_PROXY and NO_PROXY.
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
		endpoint: e, room: fair.NewRoom(limits),
		// A redirect could send the audio and the key to an address that nobody configured.
		http: http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
}

// Exchange is one request to a service.
type Exchange struct {
	Audio   time.Duration // length of the audio; determines the timeout
	Request func(ctx context.Context) (*http.Request, error)
	Read    func(answer []byte) error // parses an answer; an error that is not a fault means a malformed answer
}

// Do sends the request at most three times, until there is a valid answer. Between attempts it waits as long as the
// service asks. Errors are faults that name the engine but contain no address:
//
//	Unavailable  unreachable, overloaded, timeout, malformed answer, key or address rejected: retry later
//	Invalid      the service rejects this audio
//	Internal     the answer is larger than any transcript
//
// or the error of ctx after its cancellation.
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
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(failed.after, backoff(try))):
		}
	}
}

// failure is the result of a failed attempt.
type failure struct {
	err   error
	again bool          // whether an immediate retry may help
	after time.Duration // requested by the service
}

func (c *Client) try(ctx context.Context, x Exchange) *failure {
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit(x.Audio), errSlow)
	defer cancel()
	request, err := x.Request(ctx)
	if err != nil {
		return &failure{err: fmt.Errorf("engine %s: %w", c.endpoint.Name, err)}
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
			"engine %s: the answer is larger than the limit of %d MB", c.endpoint.Name, maxAnswer>>20)}
	case answer.StatusCode/100 != 2:
		return c.refused(answer, body)
	}
	if err := x.Read(body); err != nil {
		if _, ok := errors.AsType[*fault.Error](err); ok {
			return &failure{err: err}
		}
		return &failure{again: true, err: c.unavailable("invalid answer: %w", err)}
	}
	return nil
}

var errSlow = errors.New("timeout before the answer was complete")

// broken converts a connection error to a failure. A timeout is not retried here: a hanging service is left to the
// retries of the job.
func (c *Client) broken(ctx context.Context, err error) *failure {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // drop the URL
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		err = o.Err // drop local addresses
	}
	slow := context.Cause(ctx) == errSlow
	if slow {
		err = errSlow
	}
	return &failure{again: !slow, err: c.unavailable("%w", err)}
}

func (c *Client) unavailable(format string, args ...any) error {
	return fault.New(fault.Unavailable, fault.CodeEngineFailed, "engine "+c.endpoint.Name+": "+format, args...)
}

// backoff is the pause after an attempt, plus up to 50 % jitter, so that many clients do not retry at the same time.
func backoff(try int) time.Duration {
	d := pause << (try - 1)
	return d + rand.N(d/2)
}
