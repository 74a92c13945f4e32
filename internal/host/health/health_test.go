package health_test

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

// begin runs a monitor until the test ends.
func begin(t *testing.T, m *health.Monitor) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	synctest.Wait()
	return func() { cancel(); <-ended }
}

func TestReadersStartNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		m := health.NewMonitor([]health.Check{{Name: "a", Required: true, Run: func(context.Context) error {
			runs.Add(1)
			return nil
		}}}, nil)
		if r := m.Latest(); r[0].State != health.Pending || health.Ready(r) {
			t.Errorf("before the first run: %+v", r)
		}
		defer begin(t, m)()
		for range 1000 {
			if r := m.Latest(); r[0].State != health.OK || !health.Ready(r) {
				t.Fatalf("%+v", r)
			}
		}
		if n := runs.Load(); n != 1 {
			t.Errorf("the check ran %d times", n)
		}
		time.Sleep(3*health.DefaultEvery + time.Second)
		synctest.Wait()
		if n := runs.Load(); n != 4 {
			t.Errorf("after three more pauses it has run %d times", n)
		}
	})
}

func TestACheckThatHangsFailsAfterItsDeadlineAndRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		free := make(chan struct{})
		m := health.NewMonitor([]health.Check{
			{Name: "stuck", Required: true, Deadline: 3 * time.Second, Run: func(context.Context) error {
				runs.Add(1)
				<-free
				return nil
			}},
			{Name: "other", Required: true, Run: func(context.Context) error { return nil }},
		}, nil)
		defer begin(t, m)()
		time.Sleep(2 * time.Second)
		if r := m.Latest(); r[0].State != health.Pending || r[1].State != health.OK {
			t.Errorf("within the deadline: %+v", r)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		r := m.Latest()
		if r[0].State != health.Failed || !strings.Contains(r[0].Problem, "no answer within 3s") ||
			r[1].State != health.OK || health.Ready(r) {
			t.Errorf("after an hour: %+v", r)
		}
		if n := runs.Load(); n != 1 {
			t.Errorf("%d runs hang", n)
		}
		close(free)
		time.Sleep(health.DefaultEvery)
		synctest.Wait()
		if r := m.Latest(); !health.Ready(r) {
			t.Errorf("when it answers again: %+v", r)
		}
	})
}

func TestAMonitorEndsBesideACheckThatHangs(t *testing.T) {
	free := make(chan struct{})
	defer close(free)
	begun := make(chan struct{})
	m := health.NewMonitor([]health.Check{{Name: "stuck", Run: func(context.Context) error {
		close(begun)
		<-free
		return nil
	}}}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	m.Run(ctx)
}

func TestWhatFailsIsLookedAtAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		broken.Store(true)
		m := health.NewMonitor([]health.Check{{Name: "a", Required: true, Every: time.Hour,
			Run: func(context.Context) error {
				if broken.Load() {
					return errors.New("away; bring it back")
				}
				return nil
			}}}, nil)
		defer begin(t, m)()
		if r := m.Latest(); r[0].State != health.Failed || r[0].Problem != "away; bring it back" {
			t.Errorf("%+v", r)
		}
		broken.Store(false)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if r := m.Latest(); !health.Ready(r) {
			t.Errorf("5 s after it came back: %+v", r)
		}
	})
}

func TestACheckThatPanicsFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := health.NewMonitor([]health.Check{{Name: "a", Run: func(context.Context) error { panic("a secret") }}}, nil)
		defer begin(t, m)()
		if r := m.Latest(); r[0].State != health.Failed || strings.Contains(r[0].Problem, "secret") ||
			!health.Ready(r) {
			t.Errorf("a check that is not required: %+v", r)
		}
	})
}

func TestALoopWithoutProgressFailsWithItsNameAndReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var beating, silent health.Pulse
		m := health.NewMonitor(nil, []health.Loop{
			{Name: "claims", Required: true, Pulse: &beating, Patience: time.Minute},
			{Name: "leases", Required: true, Pulse: &silent, Patience: time.Minute},
		})
		if r := m.Latest(); r[0].State != health.Pending {
			t.Errorf("before Run: %+v", r)
		}
		defer begin(t, m)()
		if r := m.Latest(); !health.Ready(r) || r[0].Waiting != nil {
			t.Errorf("at the start: %+v", r)
		}
		for range 61 {
			time.Sleep(time.Second)
			beating.Beat()
		}
		silent.Wait(12)
		silent.Fail(errors.New("the database is locked"))
		r := m.Latest()
		if r[0].State != health.OK || r[1].State != health.Failed || *r[1].Waiting != 12 ||
			!strings.Contains(r[1].Problem, "no progress for 1m1s: the database is locked") || health.Ready(r) {
			t.Errorf("%+v", r)
		}
		silent.Beat()
		if r := m.Latest(); !health.Ready(r) {
			t.Errorf("after a beat: %+v", r)
		}
	})
}

func BenchmarkLatest(b *testing.B) {
	checks := make([]health.Check, 8)
	m := health.NewMonitor(checks, []health.Loop{{Pulse: &health.Pulse{}}})
	for b.Loop() {
		m.Latest()
	}
}
