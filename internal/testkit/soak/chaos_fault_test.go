package soak

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"parley/internal/testkit/chaos"
)

// slowness is the delay of SlowDatabase in each direction.
const slowness = 40 * time.Millisecond

// takeover is how long it takes to notice that the primary is gone, before the standby is promoted.
const takeover = 2 * time.Second

// begin makes a fault happen, and returns what ends it.
func (c *cluster) begin(t *testing.T, f chaos.Fault) (end func() error, err error) {
	if begin, ok := c.ofNode(t, c.members[f.Node])[f.Kind]; ok {
		return begin()
	}
	nothing := func() error { return nil }
	switch f.Kind {
	case chaos.CrashDatabase:
		c.primary.Stop()
		return c.primary.Restart, nil
	case chaos.FailOver:
		return nothing, c.failOver(t.Context())
	case chaos.FreezeStorage:
		return func() error { return c.storage.Signal(syscall.SIGCONT) }, c.storage.Signal(syscall.SIGSTOP)
	case chaos.RejectCallbacks, chaos.SilentReceiver:
		c.receiver.feel(f.Kind)
		return func() error { c.receiver.feel(""); return nil }, nil
	}
	return nothing, fmt.Errorf("no such fault: %s", f.Kind)
}

// ofNode returns how the faults of one node begin.
func (c *cluster) ofNode(t *testing.T, m *member) map[chaos.Kind]func() (end func() error, err error) {
	cut := func(l *link) func() (func() error, error) {
		return func() (func() error, error) { l.cut(); return l.join, nil }
	}
	silence := func(l *link, directions ...string) func() (func() error, error) {
		return func() (func() error, error) {
			return func() error { return l.mend(directions...) }, l.silence(directions...)
		}
	}
	return map[chaos.Kind]func() (func() error, error){
		chaos.KillNode: func() (func() error, error) { m.end(syscall.SIGKILL); return m.start, nil },
		chaos.StopNode: func() (func() error, error) {
			if !m.end(syscall.SIGTERM) {
				return m.start, fmt.Errorf("node %d did not end within 30 seconds of SIGTERM", m.index)
			}
			return m.start, nil
		},
		chaos.FreezeNode: func() (func() error, error) {
			return func() error { return m.signal(syscall.SIGCONT) }, m.signal(syscall.SIGSTOP)
		},
		chaos.CutDatabase:     cut(m.database),
		chaos.SilenceDatabase: silence(m.database, requests, answers),
		chaos.SlowDatabase: func() (func() error, error) {
			return func() error { return m.database.quicken(t) }, m.database.slow(slowness)
		},
		chaos.CutStorage:     cut(m.storage),
		chaos.SilenceStorage: silence(m.storage, requests, answers),
		chaos.LoseAnswers:    silence(m.storage, answers),
	}
}

// failOver takes the primary away for good and makes the nodes' links lead to the standby.
func (c *cluster) failOver(ctx context.Context) error {
	c.primary.Stop()
	wait(ctx, takeover)
	err := c.standby.Promote()
	for _, m := range c.members {
		err = errors.Join(err, m.database.redirect(c.standby.Address()))
	}
	c.database = c.databaseAt(c.standby.Address())
	return err
}

// run makes the faults of a schedule happen, counted from a start, and returns when all have ended: the time when the
// last one did, and what went wrong. Of one place, the next fault begins after the one before has ended.
func (c *cluster) run(t *testing.T, start time.Time, schedule []chaos.Fault) (healed time.Time, problems []error) {
	places := map[string][]chaos.Fault{}
	for _, f := range schedule {
		places[f.Place()] = append(places[f.Place()], f)
	}
	results := make(chan error)
	for _, faults := range places {
		go func() {
			for _, f := range faults {
				results <- c.happen(t, start, f)
			}
		}()
	}
	for range schedule {
		if err := <-results; err != nil {
			problems = append(problems, err)
		}
	}
	return time.Now(), problems
}

// happen makes one fault happen, and returns when it has ended.
func (c *cluster) happen(t *testing.T, start time.Time, f chaos.Fault) error {
	wait(t.Context(), time.Until(start.Add(f.At)))
	end, err := c.begin(t, f)
	if f.Kind != chaos.FailOver { // which ends when the standby has taken over
		wait(t.Context(), time.Until(start.Add(f.At+f.For)))
	}
	if err = errors.Join(err, end()); err != nil {
		return fmt.Errorf("%v: %w", f, err)
	}
	return nil
}
