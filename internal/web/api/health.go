package api

import (
	"net/http"

	"parley/internal/call/wire"
	"parley/internal/host/health"
	"parley/internal/words/list"
)

// healthz reports that the process responds.
func (s *Server) healthz(*request) (any, error) {
	return wire.Health{Status: "ok", Version: s.Version}, nil
}

// readyz reports whether the server can work, and which parts are not ready. It needs no token: it only reads known
// state.
func (s *Server) readyz(w http.ResponseWriter, _ *request) error {
	latest := s.Health()
	status := http.StatusOK
	answer := wire.Health{Status: "ready", Version: s.Version, Checks: list.Map(latest, wireCheck)}
	if !health.Ready(latest) {
		answer.Status, status = "not ready", http.StatusServiceUnavailable
	}
	writeJSON(w, status, answer)
	return nil
}

func wireCheck(r health.Result) wire.Check {
	c := wire.Check{
		Name: r.Name, Ready: r.State == health.OK, Required: r.Required, State: string(r.State),
		Problem: r.Problem, Waiting: r.Waiting,
	}
	if r.State == health.Pending {
		c.Problem = "not checked yet; the first check is running"
		return c
	}
	c.AgeInSeconds = new(int64(r.Age.Seconds()))
	return c
}

// openAPI serves the OpenAPI description.
func (s *Server) openAPI(w http.ResponseWriter, _ *request) error {
	write(w, http.StatusOK, "application/json", s.Description)
	return nil
}
