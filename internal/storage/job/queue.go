package job

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"parley/internal/words/fault"
)

// Database runs transactions. Package store is one.
type Database interface {
	UpdateJobs(ctx context.Context, f func(Tx) error) error // a write transaction
	ViewJobs(ctx context.Context, f func(Tx) error) error   // a consistent read
}

// Queue is the workers' and operators' side of the job table.
type Queue struct {
	db      Database
	added   bell // rung when there may be jobs to claim
	removed bell // rung when held jobs may have been deleted
}

// NewQueue returns the queue of a database.
func NewQueue(db Database) *Queue { return &Queue{db: db} }

// Added tells the runners of this process that jobs became ready, so that they look at once.
func (q *Queue) Added() { q.added.ring() }

// Removed tells the runners of this process that jobs were deleted, so that they stop work on them at once.
func (q *Queue) Removed() { q.removed.ring() }

// Held identifies a claim: a job and the fence it was claimed under.
type Held struct {
	ID    ID
	Fence int64
}

// Held returns j's claim.
func (j Job) Held() Held { return Held{j.ID, j.Fence} }

// Heartbeat renews the leases of the given claims and returns those that are lost.
func (q *Queue) Heartbeat(ctx context.Context, claims []Held) (lost []Held, err error) {
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		lost = nil // the transaction may run more than once
		now, err := tx.Now()
		if err != nil {
			return err
		}
		for _, h := range claims {
			err := owned(tx.Exec(`UPDATE job SET lease_until = $3`+mine, h.ID, h.Fence, now.Add(Lease).UnixMicro()))
			if errors.Is(err, ErrLost) {
				lost = append(lost, h)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return lost, err
}

// Complete removes a finished job. It is no error when a transaction of the handler has already done so.
func (q *Queue) Complete(ctx context.Context, j Job) error {
	err := q.db.UpdateJobs(ctx, func(tx Tx) error { return Complete(tx, j) })
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// Retry gives j back after a failure, to be run again after a while; the failure counts as an attempt.
func (q *Queue) Retry(ctx context.Context, j Job, cause error, after time.Duration) error {
	return q.giveBack(ctx, j, after, `attempts = attempts + 1, stalls = 0, last_error = $4`, text(cause))
}

// Stall gives j back because something it needs is unavailable; this may happen without end.
func (q *Queue) Stall(ctx context.Context, j Job, cause error, after time.Duration) error {
	return q.giveBack(ctx, j, after, `stalls = stalls + 1, last_error = $4`, text(cause))
}

// Release gives j back at once as if it had not been claimed: its worker stops.
func (q *Queue) Release(ctx context.Context, j Job) error {
	err := q.giveBack(ctx, j, 0, `last_error = last_error`)
	q.Added()
	return err
}

func (q *Queue) giveBack(ctx context.Context, j Job, after time.Duration, set string, args ...any) error {
	return q.db.UpdateJobs(ctx, func(tx Tx) error {
		now, err := tx.Now()
		if err != nil {
			return err
		}
		args := append([]any{j.ID, j.Fence, now.Add(after).UnixMicro()}, args...)
		return owned(tx.Exec(`UPDATE job SET state = 'ready', worker = '', lease_until = 0, run_at = $3, `+set+mine,
			args...))
	})
}

// Bury makes j dead; it stays in the table until Requeue or the deletion of its subject.
func (q *Queue) Bury(ctx context.Context, j Job, cause error) error {
	return q.db.UpdateJobs(ctx, func(tx Tx) error {
		return owned(tx.Exec(`UPDATE job SET state = 'dead', worker = '', lease_until = 0,
			attempts = attempts + 1, last_error = $3`+mine, j.ID, j.Fence, text(cause)))
	})
}

// Requeue makes a dead job ready with all its attempts; an account other than "" must own it.
// NotFound when there is no such job, Conflict when it is not dead.
func (q *Queue) Requeue(ctx context.Context, account string, id ID) error {
	err := q.db.UpdateJobs(ctx, func(tx Tx) error {
		now, err := tx.Now()
		if err != nil {
			return err
		}
		j, err := Get(tx, id)
		if errors.Is(err, sql.ErrNoRows) || err == nil && account != "" && j.Account != account {
			return fault.New(fault.NotFound, fault.CodeNotFound, "no job with id %q", string(id))
		}
		if err != nil {
			return err
		}
		if j.State != Dead {
			return fault.New(fault.Conflict, fault.CodeConflict, "job %s is %s; only dead jobs can be re-queued", id,
				j.State)
		}
		_, err = tx.Exec(`UPDATE job SET state = 'ready', attempts = 0, interruptions = 0, stalls = 0,
			run_at = $2, rank = $3 WHERE id = $1 AND state = 'dead'`, id, now.UnixMicro(), rank(now, j.Priority))
		return err
	})
	if err == nil {
		q.Added()
	}
	return err
}

// Reap makes jobs whose lease has expired ready again, counting an interruption for each, and returns
// how many there were.
func (q *Queue) Reap(ctx context.Context) (int64, error) {
	return q.interrupt(ctx, func(now time.Time) int64 { return now.UnixMicro() })
}

// VoidLeases makes all running jobs ready again, counting an interruption for each: the start of a server
// that is alone with its database knows that nobody is at work.
func (q *Queue) VoidLeases(ctx context.Context) (int64, error) {
	return q.interrupt(ctx, func(time.Time) int64 { return math.MaxInt64 })
}

func (q *Queue) interrupt(ctx context.Context, expired func(now time.Time) int64) (n int64, err error) {
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		now, err := tx.Now()
		if err != nil {
			return err
		}
		r, err := tx.Exec(`UPDATE job SET state = 'ready', worker = '', lease_until = 0,
			interruptions = interruptions + 1 WHERE state = 'running' AND lease_until <= $1`, expired(now))
		if err != nil {
			return err
		}
		n, err = r.RowsAffected()
		return err
	})
	if n > 0 {
		q.Added()
	}
	return n, err
}

// text is an error as it is kept in a row: short.
func text(err error) string {
	const most = 1000
	if err == nil {
		return ""
	}
	return fault.Brief(err, most)
}
