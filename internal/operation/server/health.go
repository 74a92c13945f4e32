package server

import (
	"context"
	"fmt"
	"os"
	"time"

	"parley/internal/host/health"
	"parley/internal/operation/config"
	"parley/internal/storage/job"
	"parley/internal/words/fault"
)

// freer is a blob store that can report its free space.
type freer interface{ Free() (uint64, error) }

// accepting refuses uploads, before their bytes arrive, if there is no room for them.
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

// How long loops may make no progress. Claims and leases are renewed every few seconds, in transactions that may take
// job.Lease; one batch of work on an index may merge hundreds of thousands of recordings.
const (
	loopPatience  = time.Minute
	workPatience  = 30 * time.Minute // applies if every worker has a job; a download or an alignment takes minutes
	sweepPatience = 10 * time.Minute
	indexPatience = 10 * time.Minute
)

// openHealth prepares the checks of /readyz. They start with Run.
func (s *Server) openHealth(context.Context) error {
	s.monitor = health.NewMonitor(s.checks(), s.loops())
	return nil
}

// Health returns the latest results of the checks and loops, and whether the server is stopping.
func (s *Server) Health() []health.Result {
	all := s.monitor.Latest()
	if s.stopping.Load() {
		all = append(all, health.Result{Name: "shutdown", Required: true, State: health.Failed,
			Problem: "the server is stopping; send requests to another one"})
	}
	return all
}

// checks returns the checks of what the server needs.
func (s *Server) checks() []health.Check {
	checks := []health.Check{
		{Name: "database", Required: true, Every: 5 * time.Second, Run: s.Store.Ping},
		{Name: "database version", Required: true, Every: 5 * time.Second, Run: s.Store.CheckSchema},
		{Name: "storage", Required: true, Every: 5 * time.Second, Run: s.checkBlobs},
		{Name: "storage keys", Required: true, Run: s.Store.CheckStorageKeys},
		{Name: "room for uploads", Required: true, Every: 5 * time.Second, Run: s.checkRoom},
	}
	if s.working() {
		checks = append(checks,
			health.Check{Name: "ffmpeg", Required: true, Every: time.Minute, Deadline: 15 * time.Second,
				Run: s.checkDecoder},
			health.Check{Name: "recogniser", Required: true, Every: time.Minute, Run: s.checkEngines},
			health.Check{Name: "temporary space", Required: true, Run: s.checkTemp})
	}
	return checks
}

// loops returns the loops of this process that have to make progress.
func (s *Server) loops() (loops []health.Loop) {
	if s.Settings.Role != config.RoleWorker {
		loops = append(loops, health.Loop{Name: "changes of recordings", Pulse: &s.feed.Pulse, Patience: loopPatience})
	}
	if s.working() {
		loops = append(loops, runnerLoops(s.processing, "", workPatience)...)
		loops = append(loops, runnerLoops(s.delivering, "callback ", workPatience+s.Settings.CallbackPatience)...)
		loops = append(loops, runnerLoops(s.indexing, "index ", workPatience)...)
		loops = append(loops,
			health.Loop{Name: "index of calls", Required: true, Pulse: &s.calls.Pulse, Patience: indexPatience},
			health.Loop{Name: "expiry", Pulse: &s.sweeping, Patience: sweepPatience})
	}
	return loops
}

func runnerLoops(r *job.Runner, of string, work time.Duration) []health.Loop {
	return []health.Loop{
		{Name: of + "claims", Required: true, Pulse: &r.Claims, Patience: loopPatience},
		{Name: of + "leases", Required: true, Pulse: &r.Leases, Patience: loopPatience},
		{Name: of + "work", Required: true, Pulse: &r.Work, Patience: work},
	}
}

// checkRoom is accepting as a health check.
func (s *Server) checkRoom(context.Context) error {
	err := s.accepting()
	if disk, ok := s.Blobs.(freer); ok && err != nil {
		if free, e := disk.Free(); e == nil {
			return fmt.Errorf("%d MiB are free for recordings, but --reserve-disk reserves %d MiB; free some space, or lower it",
				free>>20, s.Settings.ReserveDisk>>20)
		}
	}
	return err
}

func (s *Server) checkBlobs(ctx context.Context) error {
	_, err := s.Blobs.Stat(ctx, "health/none")
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func (s *Server) checkDecoder(ctx context.Context) error {
	_, err := s.decoder().Version(ctx)
	return err
}

func (s *Server) checkEngines(context.Context) error { return s.engines.check() }

func (s *Server) checkTemp(context.Context) error {
	file, err := os.CreateTemp(s.temp.Path(), "check-*")
	if err != nil {
		return fmt.Errorf("cannot write temporary files: %w", err)
	}
	defer os.Remove(file.Name())
	return file.Close()
}

// Waiting returns how many requests wait for changes of recordings.
func (s *Server) Waiting() int { return s.feed.Waiting() }
