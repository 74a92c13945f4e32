package api

import (
	"strings"

	"parley/internal/analysis/detect"
	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
	"parley/internal/words/fault"
)

// listDetectors describes the detectors that configurations can use.
func (s *Server) listDetectors(*request) (any, error) {
	return wire.NewDetectorDefinitions(detect.Detectors()), nil
}

func (s *Server) getDetector(r *request) (any, error) {
	for _, d := range detect.Detectors() {
		if strings.EqualFold(d.ID, r.PathValue("detectorId")) {
			return wire.NewDetectorDefinition(d), nil
		}
	}
	return nil, fault.New(fault.NotFound, fault.CodeDefinition,
		"no detector has the id %q; see /v3/definition/prediction/detectors", r.PathValue("detectorId"))
}

// listMetrics describes the conversation metrics that a configuration can ask for.
func (s *Server) listMetrics(*request) (any, error) {
	return wire.NewMetricGroups(talk.Definitions), nil
}
