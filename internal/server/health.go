package server

import (
	"context"
	"fmt"
	"os"

	"parley/internal/api"
	"parley/internal/fault"
)

// freer is a blob store that knows how much room is left.
type freer interface{ Free() (uint64, error) }

// accepting refuses uploads, before their bytes arrive, when there is no room for them.
func (s *Server) accepting() error {
	disk, ok := s.Blobs.(freer)
	if !ok {
		return nil
	}
	free, err := disk.Free()
	if err != nil {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "storage does not answer: %w", err)
	}
	if free <= uint64(s.Settings.ReserveDisk) {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the disk is full; try again later")
	}
	return nil
}

// checks are the lines of /readyz.
func (s *Server) checks() []api.Check {
	checks := []api.Check{
		{Name: "database", Required: true, Run: s.Store.Ping},
		{Name: "storage", Required: true, Run: s.checkBlobs},
		{Name: "room for uploads", Required: true, Run: func(context.Context) error { return s.accepting() }},
	}
	if s.working() {
		checks = append(checks,
			api.Check{Name: "ffmpeg", Required: true, Run: func(ctx context.Context) error { _, err := s.decoder().Check(ctx); return err }},
			api.Check{Name: "recogniser", Required: true, Run: func(context.Context) error { return s.engines.check() }},
			api.Check{Name: "temporary space", Required: true, Run: s.checkTemp})
	}
	return checks
}

func (s *Server) checkBlobs(ctx context.Context) error {
	_, err := s.Blobs.Stat(ctx, "health/none")
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func (s *Server) checkTemp(context.Context) error {
	file, err := os.CreateTemp(s.temp.Path(), "check-*")
	if err != nil {
		return fmt.Errorf("cannot write temporary files: %w", err)
	}
	defer os.Remove(file.Name())
	return file.Close()
}
