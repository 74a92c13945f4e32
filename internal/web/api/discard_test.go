package api

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// plug is a ResponseWriter on one end of a connection.
type plug struct {
	http.ResponseWriter
	net.Conn
}

func (p plug) Write(b []byte) (int, error) { return p.Conn.Write(b) }

func TestClientsOfRefusedUploadsDoNotKeepAServerFromEnding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		stopping, stop := context.WithCancel(t.Context())
		ended := make(chan time.Duration)
		go func() {
			began := time.Now()
			body := &pacedBody{ReadCloser: ours, connection: http.NewResponseController(plug{Conn: ours})}
			body.discard(stopping)
			ended <- time.Since(began)
		}()
		time.AfterFunc(3500*time.Millisecond, stop)
		var sending sync.WaitGroup
		sending.Go(func() { // one byte per second, as long as it is read
			for {
				time.Sleep(time.Second)
				if _, err := theirs.Write([]byte("x")); err != nil {
					return
				}
			}
		})
		if took := <-ended; took != 3500*time.Millisecond {
			t.Errorf("read on for %v", took)
		}
		ours.Close()
		sending.Wait()
	})
}
