package health

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Pulse is the state that a loop reports: its last progress, the errors since, and its backlog. The zero Pulse is ready
// for use. It is safe for concurrent use.
type Pulse struct {
	at      atomic.Pointer[time.Time]
	problem atomic.Pointer[string]
	waiting atomic.Pointer[int64]
}

// Beat records progress.
func (p *Pulse) Beat() {
	now := time.Now()
	p.at.Store(&now)
	p.problem.Store(nil)
}

// Fail records why there was no progress.
func (p *Pulse) Fail(err error) {
	text := err.Error()
	p.problem.Store(&text)
}

// Wait records the size of the backlog.
func (p *Pulse) Wait(n int64) { p.waiting.Store(&n) }

// result evaluates a loop that has run since began; nil before it starts.
func (l Loop) result(began *time.Time, now time.Time) Result {
	r := Result{Name: l.Name, Required: l.Required, State: Pending, Waiting: l.Pulse.waiting.Load()}
	if began == nil {
		return r
	}
	at := l.Pulse.at.Load()
	r.State, r.Age = OK, now.Sub(*began)
	if at != nil && at.After(*began) {
		r.Age = now.Sub(*at)
	}
	if r.Age <= l.Patience {
		return r
	}
	r.State, r.Problem = Failed, fmt.Sprintf("no progress for %s", r.Age.Round(time.Second))
	if why := l.Pulse.problem.Load(); why != nil {
		r.Problem += ": " + *why
	}
	return r
}
