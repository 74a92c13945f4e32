package callindex

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// Kind is the kind of the jobs that build and merge the segments of an account.
const Kind = "index"

// subject returns the subject of an account's job.
const subject = "index:"

const (
	leastBuilt   = 64  // waiting calls that are worth a segment
	leastTouched = 500 // calls with newer values that are worth replacing the values of segments
)

const (
	idle  = 500 * time.Millisecond // between looks for accounts that need a job
	pause = 5 * time.Second        // after an error
)

// attempts is how often a job is tried, at growing intervals, before somebody has to look at it. There is no other job of
// the account as long as it is dead.
const attempts = 20

// purgeAfter is how long calls may have tombstones before the segments with their words are written again, and how long
// replaced values may stay in segments.
const purgeAfter = 4 * time.Minute

// Schedule adds the jobs of accounts that need one, until ctx ends. Every server with workers runs it.
func (x *Index) Schedule(ctx context.Context) {
	for ctx.Err() == nil {
		wait := idle
		switch err := x.schedule(ctx); {
		case err == nil:
			x.Pulse.Beat()
		case ctx.Err() == nil:
			x.Pulse.Fail(err)
			x.Log.LogAttrs(ctx, slog.LevelWarn, "no jobs for the index of calls can be added", slog.Any("error", err))
			wait = pause
		}
		tick := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
		tick.Stop()
	}
}

func (x *Index) schedule(ctx context.Context) error {
	accounts, err := store.Read(ctx, x.Store, func(tx *store.Tx) ([]account.ID, error) {
		return tx.AccountsToIndex(store.IndexDue{Waiting: x.least, Touched: x.leastTouched, Age: purgeAfter, Subject: subject})
	})
	for _, a := range accounts {
		err = errors.Join(err, x.Store.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.Enqueue(job.Spec{Kind: Kind, Account: string(a), Subject: subject + string(a),
				MaxAttempts: attempts})
			return err
		}))
	}
	return err
}

// turn is how long a job works at a time. Then jobs of other accounts come first.
const turn = 20 * time.Second

// Handle brings the segments of an account up to date: it builds segments of waiting calls, replaces values that have
// changed, merges small segments, and rewrites those with deleted calls. Whatever it does takes effect only if no other
// job has changed the segments meanwhile.
func (x *Index) Handle(ctx context.Context, j job.Job) error {
	w := &work{Index: x, job: j, account: account.ID(j.Account), purge: string(j.Payload) == purging}
	for began := time.Now(); ; {
		select {
		case <-job.Draining(ctx):
			return job.ErrDrained
		default:
		}
		more, err := w.step(ctx)
		if fault.Is(err, fault.Conflict) {
			continue // begin again with the segments as they are now
		}
		if err != nil || !more {
			return err
		}
		job.Progress(ctx)
		if time.Since(began) > x.turn {
			return w.queueAgain(ctx)
		}
	}
}

// purging is the payload of a job that goes on to rewrite segments with deleted calls.
const purging = "purge"

// queueAgain gives the job back, to be claimed in turn.
func (w *work) queueAgain(ctx context.Context) error {
	var payload []byte
	if w.purge {
		payload = []byte(purging)
	}
	return w.Store.PutOffJob(ctx, w.job, 0, payload)
}

// work is a job in progress.
type work struct {
	*Index
	job     job.Job
	account account.ID
	state   store.CallIndex
	purge   bool // segments with deleted calls are rewritten, however few those are
}

// step does a part of the work and reports whether there may be more.
func (w *work) step(ctx context.Context) (more bool, err error) {
	w.state, err = store.Read(ctx, w.Store, func(tx *store.Tx) (store.CallIndex, error) {
		return tx.CallIndex(w.account, store.CallIndex{Version: -1}, mostRead)
	})
	if err != nil {
		return false, err
	}
	for _, do := range []func(context.Context) (bool, error){w.compare, w.build, w.renew, w.merge} {
		if done, err := do(ctx); done || err != nil {
			return true, err
		}
	}
	return false, nil
}

// grace is how long the blobs of replaced segments stay, for questions that began before.
const grace = 2 * time.Minute

// change puts a change of the segments in force. The blobs of segments that are not put in force are deleted.
func (w *work) change(ctx context.Context, c store.SegmentChange) error {
	c.Account, c.Version = w.account, w.state.Version
	err := w.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(w.job); err != nil {
			return err
		}
		blobs, err := tx.ChangeSegments(c)
		if err != nil || len(blobs) == 0 {
			return err
		}
		now, err := tx.Now()
		if err != nil {
			return err
		}
		return w.Purge(tx, blobs, now.Add(grace))
	})
	if err != nil && (fault.Is(err, fault.Conflict) || errors.Is(err, job.ErrLost)) {
		for _, f := range newFiles(&c) {
			w.Blobs.Delete(ctx, f.Blob) // otherwise it is deleted like every stored file that nothing refers to
		}
	}
	return err
}

// newFiles returns the blobs that a change puts in force.
func newFiles(c *store.SegmentChange) (all []*store.SegmentFile) {
	for i := range c.Added {
		all = append(all, c.Added[i].Files()...)
	}
	for i := range c.Renewed {
		all = append(all, &c.Renewed[i].Values)
	}
	return all
}

// CaughtUp builds and merges segments until nothing is left to do, in a process without other workers. It reports from
// time to time how many calls wait.
func (x *Index) CaughtUp(ctx context.Context, told func(waiting int64)) error {
	ctx, cancel := context.WithCancel(ctx)
	runner := job.NewRunner(x.Store.Queue(), job.Config{Worker: "catching up", Workers: 1, Log: x.Log,
		Handlers: map[string]job.Handler{Kind: x.Handle}})
	var running sync.WaitGroup
	running.Go(func() { runner.Run(ctx) })
	defer running.Wait()
	defer cancel()
	tick := time.NewTicker(idle / 20)
	defer tick.Stop()
	for counted := (time.Time{}); ; {
		if err := x.schedule(ctx); err != nil {
			return err
		}
		left, err := x.Store.Queue().List(ctx, job.Filter{Kind: Kind, Limit: 1})
		if err != nil || len(left) == 0 {
			return err
		}
		if left[0].State == job.Dead {
			return errors.New("index of calls: " + left[0].LastError)
		}
		if time.Since(counted) > time.Second {
			waiting, err := store.Read(ctx, x.Store, (*store.Tx).CountWaitingCalls)
			if err != nil {
				return err
			}
			told(waiting)
			counted = time.Now()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
