package soak

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"parley/internal/testkit/chaos"
)

// moody is a receiver of callbacks with a mood, which records what it gets.
type moody struct {
	*httptest.Server
	history *chaos.History
	end     chan struct{} // closed when the test ends

	mu   sync.Mutex
	mood chaos.Kind // RejectCallbacks, SilentReceiver, or empty: it accepts
}

func newMoody(t *testing.T) *moody {
	t.Helper()
	r := &moody{history: &chaos.History{}, end: make(chan struct{})}
	r.Server = httptest.NewServer(r)
	t.Cleanup(func() {
		close(r.end)
		r.Close()
	})
	return r
}

func (r *moody) feel(mood chaos.Kind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mood = mood
}

// ServeHTTP accepts a callback, rejects it, or never answers.
func (r *moody) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	receipt := chaos.Receipt{Callback: request.Header.Get("webhook-id"), Media: request.URL.Path, At: time.Now()}
	_, err := io.Copy(io.Discard, request.Body)
	r.mu.Lock()
	mood := r.mood
	r.mu.Unlock()
	receipt.Accepted = mood == "" && err == nil
	r.history.Received(receipt)
	switch mood {
	case chaos.RejectCallbacks:
		http.Error(w, "not now", http.StatusServiceUnavailable)
	case chaos.SilentReceiver:
		select {
		case <-request.Context().Done():
		case <-r.end:
		}
	}
}
