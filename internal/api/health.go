package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"parley/internal/wire"
)

// checkTimeout is how long one check of /readyz may take.
const checkTimeout = 5 * time.Second

// healthz says that the process answers.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request, _ caller) error {
	writeJSON(w, http.StatusOK, wire.Health{Status: "ok", Version: s.Version})
	return nil
}

// readyz says whether the server can work, and what is not ready.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request, _ caller) error {
	ctx, cancel := context.WithTimeout(r.Context(), checkTimeout)
	defer cancel()
	health := wire.Health{Status: "ready", Version: s.Version, Checks: make([]wire.Check, len(s.Checks))}
	var checks sync.WaitGroup
	for i, c := range s.Checks {
		checks.Go(func() {
			health.Checks[i] = wire.Check{Name: c.Name, Ready: true, Required: c.Required}
			if err := c.Run(ctx); err != nil {
				health.Checks[i].Ready, health.Checks[i].Problem = false, err.Error()
			}
		})
	}
	checks.Wait()
	status := http.StatusOK
	for _, c := range health.Checks {
		if c.Required && !c.Ready {
			health.Status, status = "not ready", http.StatusServiceUnavailable
		}
	}
	writeJSON(w, status, health)
	return nil
}

// openAPI answers with the description of the API.
func (s *Server) openAPI(w http.ResponseWriter, _ *http.Request, _ caller) error {
	write(w, http.StatusOK, "application/json", s.Description)
	return nil
}
