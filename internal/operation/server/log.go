package server

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"parley/internal/call/plan"
	"parley/internal/words/list"
)

// startAttributes returns the log attributes of a server that starts to serve.
func (s *Server) startAttributes() []any {
	database, recordings := "postgresql", "folder"
	if s.Settings.SQLite() {
		database = "sqlite"
	}
	if s.Settings.Blobs != "" {
		recordings = "s3"
	}
	engines := list.Map(s.Models(), func(m plan.Model) string { return m.Engine + "/" + m.Name })
	return []any{
		"address", s.Address(), "role", s.Settings.Role, "version", s.Version, "server", s.node.Name, "database",
		database,
		"recordings", recordings, "data", s.Settings.Dir, "storageKeys", len(s.node.StorageKeys),
		"workers", s.Settings.Workers, "engines", strings.Join(engines, ","),
	}
}

// countRequests counts the requests in progress.
func (s *Server) countRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		defer s.requests.Add(-1)
		next.ServeHTTP(w, r)
	})
}

// waitLines is how often a server that shuts down logs what it waits for.
const waitLines = 5 * time.Second

// logEnd logs the shutdown once ctx has ended, and what the server waits for, until the returned function is called
// with the reason of the end.
func (s *Server) logEnd(ctx context.Context) func(error) {
	done := make(chan struct{})
	var lines sync.WaitGroup
	var began time.Time
	lines.Go(func() {
		<-ctx.Done()
		began = time.Now()
		s.Log.Info("stopping", append(s.busy(), "atMost", s.Settings.DrainDelay+s.Settings.DrainTimeout)...)
		tick := time.NewTicker(waitLines)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.Log.Info("still waiting to stop", s.busy()...)
			}
		}
	})
	return func(err error) {
		close(done)
		lines.Wait()
		took := time.Since(began).Round(time.Millisecond)
		if err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.Log.Error("stopped", "took", took, "error", err)
			return
		}
		s.Log.Info("stopped", "took", took)
	}
}

// busy returns what a server that shuts down waits for.
func (s *Server) busy() []any {
	attrs := []any{"requests", s.requests.Load()}
	if s.working() {
		attrs = append(attrs, "jobs", s.processing.Running(), "callbacks", s.delivering.Running())
	}
	return attrs
}
