package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var refusedConnection = &url.Error{Op: "Get", URL: "http://x", Err: syscall.ECONNREFUSED}

func TestAServerThatIsAwayIsAskedAgainForTwoMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pauses []time.Duration
		p := Patience{Tell: func(_ error, pause time.Duration) { pauses = append(pauses, pause/time.Second) }}
		began, calls := time.Now(), 0
		err := p.Do(t.Context(), func() error { calls++; return refusedConnection })
		gone, ok := errors.AsType[*Unavailable](err)
		if !ok || !errors.Is(err, syscall.ECONNREFUSED) || gone.For != 2*time.Minute {
			t.Fatal(err)
		}
		if want := []time.Duration{1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15}; !slices.Equal(pauses, want) ||
			calls != len(want)+1 {
			t.Errorf("%v, %d calls", pauses, calls)
		}
		if took := time.Since(began); took != 2*time.Minute {
			t.Errorf("%s", took)
		}
	})
}

func TestAServerNamesItsTimeAndEndsTheWaitingByAnswering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := []error{&Error{Status: 503, RetryAfter: 40 * time.Second}, &Error{Status: 502}, io.ErrUnexpectedEOF,
			nil}
		began := time.Now()
		err := Patience{}.Do(t.Context(), func() error {
			next := answers[0]
			answers = answers[1:]
			return next
		})
		if took := time.Since(began); err != nil || took != (40+2+4)*time.Second {
			t.Errorf("%v after %s", err, took)
		}
		long := &Error{Status: 503, RetryAfter: time.Hour}
		if err := (Patience{}).Do(t.Context(), func() error { return long }); !errors.Is(err, long) {
			t.Error(err)
		}
		if took := time.Since(began); took != (40+2+4)*time.Second {
			t.Errorf("an hour is waited for: %s", took)
		}
	})
}

func TestOnlyWhatTimeChangesIsRepeated(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx context.Context
		err error
	}{
		{t.Context(), &Error{Status: 400}}, {t.Context(), &Error{Status: 500}}, {t.Context(), errSilent},
		{t.Context(), io.EOF},
		{t.Context(), &url.Error{Err: &tls.CertificateVerificationError{}}},
		{t.Context(), &url.Error{Err: errors.New("more than 5 redirects")}},
		{ctx, refusedConnection},
	} {
		calls := 0
		if err := (Patience{}).Do(c.ctx, func() error { calls++; return c.err }); err != c.err || calls != 1 {
			t.Errorf("%v: %d calls, %v", c.err, calls, err)
		}
	}
}

// TestALostConnectionIsToldFromOthers has a server that closes connections in the middle of a request and of an answer.
func TestALostConnectionIsToldFromOthers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("{"))
		}
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	c := &Client{Base: server.URL, HTTP: http.DefaultClient}
	if _, err := c.Media(t.Context(), "x"); !temporary(err) {
		t.Errorf("in the answer: %v", err)
	}
	if _, err := c.DeliverAgain(t.Context(), "x", "y"); !temporary(err) {
		t.Errorf("before the answer: %v", err)
	}
	server.Close()
	if _, err := c.Media(t.Context(), "x"); !temporary(err) {
		t.Errorf("before the request: %v", err)
	}
}
