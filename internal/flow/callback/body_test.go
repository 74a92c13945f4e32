package callback_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/flow/callback"
	"parley/internal/words/fault"
)

var away = fault.New(fault.Unavailable, fault.CodeUnavailable, "the storage is away")

// stored is a source of bodies that are in storage; open opens them.
func stored(open func() (io.ReadCloser, error)) callback.Source {
	return func(context.Context, delivery.Delivery) (callback.Body, error) {
		return callback.Body{ContentType: "text/plain", Length: int64(len(content)),
			Open: func(context.Context) (io.ReadCloser, error) { return open() }}, nil
	}
}

func whole() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }

// A failure to read the body is not a try: the receiver has refused nothing, and no attempt is used up.
func TestABodyThatCannotBeReadNowIsWaitedForAndCostsNoTry(t *testing.T) {
	for name, broken := range map[string]func() (io.ReadCloser, error){
		"when it is opened": func() (io.ReadCloser, error) { return nil, away },
		"in the middle": func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(content[:3]), iotest.ErrReader(away))), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var back atomic.Bool
			run(t, always(200), stored(func() (io.ReadCloser, error) {
				if back.Load() {
					return whole()
				}
				return broken()
			}), func(b *bench) {
				b.deliver("https://example.com/r")
				b.sleep(20 * time.Minute) // two attempts would be due by then
				if d, tries := b.only(); d.State != delivery.Pending || d.Attempt != 0 || len(tries) != 0 {
					b.Fatalf("%+v, tries %+v", d, tries)
				}
				back.Store(true)
				b.sleep(5 * time.Minute)
				if d, tries := b.only(); d.State != delivery.Delivered || len(tries) != 1 {
					b.Errorf("%+v, tries %+v", d, tries)
				}
			})
		})
	}
}

func TestABodyThatIsGoneWhenItIsOpenedEndsTheDelivery(t *testing.T) {
	gone := fault.New(fault.NotFound, fault.CodeNotFound, "no such blob")
	run(t, always(200), stored(func() (io.ReadCloser, error) { return nil, gone }), func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(time.Second)
		if d, tries := b.only(); d.State != delivery.Failed || len(tries) != 1 || tries[0].Error != "no such blob" {
			b.Errorf("%+v, tries %+v", d, tries)
		}
	})
}

// closing is a file whose reads fail after Close.
type closing struct {
	io.Reader
	closed atomic.Bool
}

func (c *closing) Close() error { c.closed.Store(true); return nil }

func (c *closing) Read(p []byte) (int, error) {
	if c.closed.Load() {
		return 0, errors.New("read of a closed file")
	}
	return c.Reader.Read(p)
}

// refusing closes the body and then reads on, like a transport whose receiver disconnects in the middle of it.
type refusing struct{}

func (refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	io.CopyN(io.Discard, r.Body, 3)
	r.Body.Close()
	io.Copy(io.Discard, r.Body)
	return nil, errors.New("connection reset by peer")
}

func TestAReceiverThatGoesInTheMiddleIsARefusal(t *testing.T) {
	open := func() (io.ReadCloser, error) { return &closing{Reader: strings.NewReader(content)}, nil }
	runWith(t, refusing{}, stored(open), func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(time.Minute)
		if d, tries := b.only(); d.Attempt != 1 || len(tries) != 3 || tries[0].Error != "connection reset by peer" {
			b.Errorf("%+v, tries %+v", d, tries)
		}
	})
}

// trickle is an endless answer body with one byte per second.
type trickle struct{ request *http.Request }

func (a trickle) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = '.'
		return 1, nil
	case <-a.request.Context().Done():
		return 0, a.request.Context().Err()
	}
}

func (trickle) Close() error { return nil }

func TestAnAnswerThatComesAByteASecondIsListenedToFor30Seconds(t *testing.T) {
	run(t, func(r *http.Request, _ int) (*http.Response, error) {
		return &http.Response{StatusCode: 202, Header: http.Header{}, Body: trickle{r}}, nil
	}, body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(31 * time.Second)
		d, tries := b.only()
		if d.State != delivery.Delivered || len(tries) != 1 || tries[0].Status != 202 ||
			tries[0].Took.Round(time.Second) != 30*time.Second || len(tries[0].Answer) < 28 {
			b.Errorf("%+v, tries %+v", d, tries)
		}
	})
}
