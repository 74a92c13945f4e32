// Package health reports whether a program works: checks that run in the background, each on its own schedule, and
// pulses of its loops. Readers get the latest results without waiting: a read starts nothing and takes no lock.
//
// The package does not know what is checked, and does not know HTTP or metrics.
package health

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Defaults of a Check.
const (
	DefaultEvery    = 10 * time.Second
	DefaultDeadline = 5 * time.Second
)

// retry is the longest pause after a failure, so that a recovery is noticed soon.
const retry = 2 * time.Second

// Check tests a dependency of the program.
type Check struct {
	Name     string
	Required bool                        // whether the program is not ready without it
	Every    time.Duration               // pause between two runs; 0: DefaultEvery
	Deadline time.Duration               // a run that takes longer counts as failed; 0: DefaultDeadline
	Run      func(context.Context) error // its error says what to do
}

// Loop is a part of a program that must make progress repeatedly.
type Loop struct {
	Name     string
	Required bool
	Pulse    *Pulse
	Patience time.Duration // time without a beat after which the loop counts as failed
}

// State is the known state of a check or a loop.
type State string

// The states.
const (
	Pending State = "pending" // not checked yet
	OK      State = "ok"
	Failed  State = "failed"
)

// Result is the latest result of one check or loop.
type Result struct {
	Name     string
	Required bool
	State    State
	Problem  string        // why it failed
	Age      time.Duration // since the check ended, or the loop made progress
	Waiting  *int64        // backlog of a loop; nil if it is not counted
}

// Monitor runs checks and watches loops.
type Monitor struct {
	checks []*checkState
	loops  []Loop
	began  atomic.Pointer[time.Time] // of Run
}

// checkState is a check with its latest result.
type checkState struct {
	Check
	latest atomic.Pointer[outcome]
}

type outcome struct {
	at      time.Time
	problem string // empty: none
}

// NewMonitor returns a monitor. No check runs before Run.
func NewMonitor(checks []Check, loops []Loop) *Monitor {
	m := &Monitor{loops: loops}
	for _, c := range checks {
		if c.Every <= 0 {
			c.Every = DefaultEvery
		}
		if c.Deadline <= 0 {
			c.Deadline = DefaultDeadline
		}
		m.checks = append(m.checks, &checkState{Check: c})
	}
	return m
}

// Run runs each check immediately and then on its schedule, until ctx ends. It does not wait for a check that ignores
// the end of its context.
func (m *Monitor) Run(ctx context.Context) {
	now := time.Now()
	m.began.Store(&now)
	var all sync.WaitGroup
	for _, w := range m.checks {
		all.Go(func() { w.watch(ctx) })
	}
	all.Wait()
}

// watch runs one check until ctx ends.
func (w *checkState) watch(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		timer.Reset(w.once(ctx))
	}
}

// once runs the check and returns the pause before the next run. A check that hangs is never run a second time in
// parallel.
func (w *checkState) once(ctx context.Context) (pause time.Duration) {
	limited, cancel := context.WithTimeout(ctx, w.Deadline)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				ended <- fmt.Errorf("the check panicked: %T", p)
			}
		}()
		ended <- w.Run(limited)
	}()
	select {
	case err := <-ended:
		if ctx.Err() != nil {
			return 0
		}
		if w.note(err); err == nil {
			return w.Every
		}
	case <-limited.Done():
		if ctx.Err() != nil {
			return 0
		}
		w.note(fmt.Errorf("no answer within %s", w.Deadline))
		select {
		case <-ended:
		case <-ctx.Done():
		}
	}
	return min(w.Every, retry)
}

func (w *checkState) note(err error) {
	o := &outcome{at: time.Now()}
	if err != nil {
		o.problem = err.Error()
	}
	w.latest.Store(o)
}

// Latest returns the latest results: the checks, then the loops.
func (m *Monitor) Latest() []Result {
	now := time.Now()
	all := make([]Result, 0, len(m.checks)+len(m.loops))
	for _, w := range m.checks {
		all = append(all, w.result(now))
	}
	for _, l := range m.loops {
		all = append(all, l.result(m.began.Load(), now))
	}
	return all
}

func (w *checkState) result(now time.Time) Result {
	r := Result{Name: w.Name, Required: w.Required, State: Pending}
	o := w.latest.Load()
	if o == nil {
		return r
	}
	r.State, r.Problem, r.Age = OK, o.problem, now.Sub(o.at)
	if late := w.Every + 2*w.Deadline; r.Problem == "" && r.Age > late {
		r.Problem = fmt.Sprintf("not checked for %s", r.Age.Round(time.Second))
	}
	if r.Problem != "" {
		r.State = Failed
	}
	return r
}

// Ready reports whether everything required is known to work.
func Ready(all []Result) bool {
	return !slices.ContainsFunc(all, func(r Result) bool { return r.Required && r.State != OK })
}
