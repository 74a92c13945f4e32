package job

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/host/health"
)

// away is a database that is unavailable while it is true.
type away struct{ atomic.Bool }

var errAway = errors.New("the database is away")

// UpdateJobs implements Database.
func (a *away) UpdateJobs(context.Context, func(Tx) error) error {
	if a.Load() {
		return errAway
	}
	return nil
}

// ViewJobs implements Database.
func (a *away) ViewJobs(ctx context.Context, f func(Tx) error) error { return a.UpdateJobs(ctx, f) }

// watch runs a runner and a monitor of its loops until the test ends.
func watch(t *testing.T, r *Runner) (m *health.Monitor, stop func()) {
	m = health.NewMonitor(nil, []health.Loop{
		{Name: "claims", Required: true, Pulse: &r.Claims, Patience: time.Minute},
		{Name: "leases", Required: true, Pulse: &r.Leases, Patience: time.Minute},
		{Name: "work", Required: true, Pulse: &r.Work, Patience: 30 * time.Minute},
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	go func() { m.Run(ctx); ended <- struct{}{} }()
	go func() { r.Run(ctx); ended <- struct{}{} }()
	synctest.Wait()
	return m, func() { cancel(); <-ended; <-ended }
}

func TestARunnerThatCannotClaimIsNotedWithItsReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var db away
		m, stop := watch(t, NewRunner(NewQueue(&db), Config{Handlers: map[string]Handler{"process": nil}}))
		defer stop()
		time.Sleep(time.Hour)
		if latest := m.Latest(); !health.Ready(latest) {
			t.Errorf("with nothing to do: %+v", latest)
		}
		db.Store(true)
		time.Sleep(50 * time.Second)
		if latest := m.Latest(); !health.Ready(latest) {
			t.Errorf("within the patience: %+v", latest)
		}
		time.Sleep(15 * time.Second)
		latest := m.Latest()
		if latest[0].State != health.Failed || !strings.Contains(latest[0].Problem, errAway.Error()) ||
			latest[1].State != health.OK {
			t.Errorf("after a minute: %+v", latest)
		}
		db.Store(false)
		time.Sleep(2 * time.Second)
		if latest := m.Latest(); !health.Ready(latest) {
			t.Errorf("with the database back: %+v", latest)
		}
	})
}

func TestLeasesThatAreNotRenewedAreNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var db away
		r := NewRunner(NewQueue(&db), Config{Workers: 1})
		r.hold(Job{ID: "1"}, func(error) {})
		db.Store(true)
		m, stop := watch(t, r)
		defer stop()
		time.Sleep(65 * time.Second)
		if latest := m.Latest(); latest[1].State != health.Failed ||
			!strings.Contains(latest[1].Problem, errAway.Error()) || latest[0].State != health.OK {
			t.Errorf("%+v", latest)
		}
	})
}

func TestWorkersThatAreAllTakenAndMakeNoProgressAreNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var db away
		r := NewRunner(NewQueue(&db), Config{Workers: 1})
		r.hold(Job{ID: "1"}, func(error) {})
		m, stop := watch(t, r)
		defer stop()
		time.Sleep(29 * time.Minute)
		Progress(context.WithValue(t.Context(), progressKey{}, &r.Work))
		time.Sleep(29 * time.Minute)
		if latest := m.Latest(); !health.Ready(latest) {
			t.Errorf("with progress in time: %+v", latest)
		}
		time.Sleep(2 * time.Minute)
		if latest := m.Latest(); latest[2].State != health.Failed || latest[0].State != health.OK {
			t.Errorf("without progress: %+v", latest)
		}
		r.letGo(Job{ID: "1"})
		time.Sleep(2 * time.Second)
		if latest := m.Latest(); !health.Ready(latest) {
			t.Errorf("with a free worker: %+v", latest)
		}
	})
}
