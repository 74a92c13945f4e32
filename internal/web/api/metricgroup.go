package api

import (
	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
)

// listMetrics describes the conversation metrics that a configuration can ask for.
func (s *Server) listMetrics(*request) (any, error) {
	return wire.NewMetricGroups(talk.Definitions), nil
}
