package server

import (
	"cmp"
	"context"
	"path/filepath"

	"parley/internal/analysis/classify"
	"parley/internal/analysis/onnx"
	"parley/internal/words/list"
)

// openNetworks finds the operator's text classification networks. If the program that runs them is missing, a worker
// leaves them out with a warning; it is an error if the operator has configured the program.
func (s *Server) openNetworks(ctx context.Context) error {
	dir := cmp.Or(s.Settings.Networks, filepath.Join(s.Settings.Dir, "classifiers"))
	networks, problems := onnx.Find(dir)
	for _, err := range problems {
		s.Log.Warn("unusable network in the folder of classifiers", "error", err)
	}
	s.onnx = &onnx.Runner{Program: programNextTo("parley-onnx", s.Settings.Onnx), Nice: niceness}
	if len(networks) > 0 && s.working() {
		if err := s.onnx.Check(ctx); err != nil {
			if s.Settings.Onnx != "" {
				return err
			}
			s.Log.Warn("text classification networks cannot be used", "networks", len(networks), "error",
				err)
			return nil
		}
	}
	s.networks = networks
	return nil
}

// networkDescriptions describes the networks as classifiers.
func (s *Server) networkDescriptions() []classify.Description {
	return list.Map(s.networks, func(n onnx.Network) classify.Description { return n.Description })
}
