package api

import (
	"net/http"

	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
)

// listMetrics describes the conversation metrics that a configuration can ask for.
func (s *Server) listMetrics(w http.ResponseWriter, r *http.Request, _ caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewMetricGroups(talk.Definitions))
	return nil
}
