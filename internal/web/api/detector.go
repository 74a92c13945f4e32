package api

import (
	"net/http"
	"strings"

	"parley/internal/analysis/detect"
	"parley/internal/call/wire"
	"parley/internal/words/fault"
)

// listDetectors describes the detectors that configurations can use.
func (s *Server) listDetectors(w http.ResponseWriter, r *http.Request, _ caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewDetectorDefinitions(detect.Detectors()))
	return nil
}

// getDetector describes one detector.
func (s *Server) getDetector(w http.ResponseWriter, r *http.Request, _ caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	for _, d := range detect.Detectors() {
		if strings.EqualFold(d.ID, r.PathValue("detectorId")) {
			writeJSON(w, http.StatusOK, wire.NewDetectorDefinition(d))
			return nil
		}
	}
	return fault.New(fault.NotFound, fault.CodeDefinition,
		"no detector has the id %q; see /v3/definition/prediction/detectors", r.PathValue("detectorId"))
}
