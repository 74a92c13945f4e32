package server_test

import (
	"slices"
	"testing"
	"time"

	"parley/internal/host/health"
	"parley/internal/testkit/servertest"
)

// TestEveryLoopOfAServerBeats waits until the last progress of each loop is more recent than half of its running time.
func TestEveryLoopOfAServerBeats(t *testing.T) {
	began := time.Now()
	s := servertest.Start(t, servertest.Options{})
	loops := []string{"claims", "leases", "work", "callback claims", "callback leases", "callback work",
		"index of calls", "index claims", "index leases", "index work"}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for len(loops) > 0 {
		elapsed := time.Since(began)
		for _, r := range s.Server.Health() {
			if r.State == health.OK && r.Age < elapsed/2 {
				loops = slices.DeleteFunc(loops, func(name string) bool { return name == r.Name })
			}
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("no progress of %v", loops)
		case <-tick.C:
		}
	}
}
