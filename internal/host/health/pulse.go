package health

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Pulse is what a loop says of itself: when it last came round, what went wrong since, and what it has not done yet.
// The zero Pulse is ready for use, by many goroutines at once.
type Pulse struct {
	at      atomic.Pointer[time.Time]
	problem atomic.Pointer[string]
	waiting atomic.Pointer[int64]
}

// Beat notes progress.
func (p *Pulse) Beat() {
	now := time.Now()
	p.at.Store(&now)
	p.problem.Store(nil)
}

// Fail notes why there was no progress.
func (p *Pulse) Fail(err error) {
	text := err.Error()
	p.problem.Store(&text)
}

// Wait notes how much is not done yet.
func (p *Pulse) Wait(n int64) { p.waiting.Store(&n) }

// Waiting returns what was noted last; 0 before that.
func (p *Pulse) Waiting() int64 {
	if n := p.waiting.Load(); n != nil {
		return *n
	}
	return 0
}

// result judges a loop that runs since a time; nil before that.
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
