// Package standin runs an HTTP server in memory, so that tests can use clients with timeouts and pauses in the fake
// time of testing/synctest, where sockets would block the clock.
//
// It is for tests only and does not imitate a service; the tests supply the handlers.
package standin

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Start serves a handler and returns a transport that reaches it under any http address. In a synctest bubble, all its
// goroutines belong to the bubble and end with the test.
func Start(t testing.TB, handler http.Handler) *http.Transport {
	l := &listener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		server.Serve(l)
	}()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		<-ended
	})
	return transport
}

// listener passes the server end of each dialled pipe to the server.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "memory" }
