package job

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"parley/internal/words/fault"
)

// settle records the outcome of a job in the queue.
func (r *Runner) settle(ctx context.Context, j Job, err error) {
	cause := context.Cause(ctx)
	log := r.Log.With("job", j.ID, "kind", j.Kind, "subject", j.Subject)
	switch {
	case err == nil: // even if a heartbeat found it lost, as its own transaction may have completed it
		r.record(ctx, j, r.queue.Complete)
	case errors.Is(cause, ErrLost) || errors.Is(err, ErrLost):
		log.Info("job lost or deleted")
	case errors.Is(cause, ErrDrained) || errors.Is(err, ErrDrained):
		log.Info("job released, worker stops")
		r.record(ctx, j, r.queue.Release)
	case fault.Is(err, fault.Unavailable):
		log.Warn("job postponed, a dependency is unavailable", "stalls", j.Stalls+1, "error", err)
		r.stall(ctx, j, err)
	case j.LastAttempt() || errors.Is(err, errExhausted):
		log.Error("job is dead", "attempts", j.Attempts+1, "interruptions", j.Interruptions, "error", err)
		r.spend(ctx, j, err)
	default:
		log.Warn("job failed, will be retried", "attempts", j.Attempts+1, "error", err)
		r.record(ctx, j, func(ctx context.Context, j Job) error {
			return r.queue.Retry(ctx, j, err, retryDelay(j.Attempts))
		})
	}
}

// retryDelay is the delay after the nth failure (from 0): 2 s, 8 s, 32 s, … 10 minutes.
func retryDelay(n int) time.Duration { return min(2*time.Second<<min(2*n, 20), 10*time.Minute) }

// stallDelay is the delay after the nth stall (from 0): 1 s, 2 s, … 1 minute.
func stallDelay(n int) time.Duration { return min(time.Second<<min(n, 20), time.Minute) }

func (r *Runner) stall(ctx context.Context, j Job, err error) {
	r.record(ctx, j, func(ctx context.Context, j Job) error { return r.queue.Stall(ctx, j, err, stallDelay(j.Stalls)) })
}

// spend lets the configured Spent function record the failure, then buries the job.
func (r *Runner) spend(ctx context.Context, j Job, err error) {
	if r.Spent != nil {
		if e := r.Spent(context.WithoutCancel(ctx), j, err); e != nil {
			if !errors.Is(e, ErrLost) {
				r.stall(ctx, j, e)
			}
			return
		}
	}
	r.record(ctx, j, func(ctx context.Context, j Job) error { return r.queue.Bury(ctx, j, err) })
}

// record writes an outcome. It retries while the database is unavailable, at most for the duration of a lease: after
// that the reaper takes the job. It writes the outcome even if the handler's context has ended.
func (r *Runner) record(ctx context.Context, j Job, write func(context.Context, Job) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Lease)
	defer cancel()
	defer context.AfterFunc(r.abandoned, cancel)()
	for n := 0; ; n++ {
		err := write(ctx, j)
		if err == nil || errors.Is(err, ErrLost) {
			return
		}
		r.Log.Warn("cannot record the outcome of a job", "job", j.ID, "kind", j.Kind, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(stallDelay(n)):
		}
	}
}

// beat renews leases and cancels handlers whose jobs are lost.
func (r *Runner) beat(ctx context.Context) {
	tick := time.NewTicker(Beat)
	defer tick.Stop()
	for {
		removed := r.queue.removed.rung()
		r.renew(ctx)
		select {
		case <-ctx.Done():
			return
		case <-removed:
		case <-tick.C:
		}
	}
}

func (r *Runner) renew(ctx context.Context) {
	r.mu.Lock()
	claims := slices.Collect(maps.Keys(r.held))
	r.mu.Unlock()
	if len(claims) == 0 {
		r.Leases.Beat()
		return
	}
	limited, cancel := context.WithTimeout(ctx, Lease)
	defer cancel()
	lost, err := r.queue.Heartbeat(limited, claims)
	switch {
	case err == nil:
		r.Leases.Beat()
	case ctx.Err() == nil:
		r.Leases.Fail(err)
		r.Log.Warn("cannot renew leases", "jobs", len(claims), "error", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range lost {
		if held, ok := r.held[h]; ok {
			held.cancel(ErrLost)
		}
	}
}
