package job

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
)

// Database runs transactions. Package store implements it.
type Database interface {
	UpdateJobs(ctx context.Context, f func(Tx) error) error // a write transaction
	ViewJobs(ctx context.Context, f func(Tx) error) error   // a consistent read
}

// Queue is the interface of workers and operators to the job table.
type Queue struct {
	db      Database
	added   bell // rung when there may be jobs to claim
	removed bell // rung when held jobs may have been deleted
	turns   turns
}

// NewQueue returns the queue of a database.
func NewQueue(db Database) *Queue { return &Queue{db: db, turns: newTurns()} }

// Added wakes the runners of this process to look for ready jobs.
func (q *Queue) Added() { q.added.ring() }

// Removed wakes the runners of this process to stop work on deleted jobs.
func (q *Queue) Removed() { q.removed.ring() }

// Held identifies a claim: a job and the fence it was claimed under.
type Held struct {
	ID    ID    `json:"id"`
	Fence int64 `json:"fence"`
}

// Held returns j's claim.
func (j Job) Held() Held { return Held{j.ID, j.Fence} }

// Heartbeat renews the leases of the given claims and returns the lost ones. It does not wait for jobs that are being
// finished at the same time.
func (q *Queue) Heartbeat(ctx context.Context, claims []Held) (lost []Held, err error) {
	parameter := list(claims)
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		lost = nil // the transaction may run more than once
		now, err := tx.Now()
		if err != nil {
			return err
		}
		mine, err := sqlrow.All(tx.Query(`SELECT job.id, job.fence FROM job JOIN `+claimed(tx)+`
			ON job.id = w.id AND job.fence = w.fence WHERE `+isRunning, parameter),
			func(row sqlrow.Row) (h Held, err error) {
				err = row.Scan(&h.ID, &h.Fence)
				return h, err
			})
		if err != nil {
			return err
		}
		for _, h := range claims {
			if !slices.Contains(mine, h) {
				lost = append(lost, h)
			}
		}
		_, err = tx.Exec(`UPDATE job SET lease_until = $2 WHERE id IN (SELECT job.id FROM job JOIN `+claimed(tx)+`
			ON job.id = w.id AND job.fence = w.fence WHERE `+isRunning+unlocked(tx, "job")+`)`,
			parameter, now.Add(Lease).UnixMicro())
		return err
	})
	return lost, err
}

// claimed is a table, w, of the claims in the parameter $1.
func claimed(tx Tx) string {
	if tx.RowLocks() {
		return `jsonb_to_recordset(CAST($1 AS jsonb)) AS w(id text, fence bigint)`
	}
	return `(SELECT value ->> 'id' AS id, value ->> 'fence' AS fence FROM json_each($1)) AS w`
}

// Complete removes a finished job. It returns nil if a transaction of the handler has already done so.
func (q *Queue) Complete(ctx context.Context, j Job) error {
	err := q.db.UpdateJobs(ctx, func(tx Tx) error { return Complete(tx, j) })
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// Retry gives j back after a failure, to be run again after a delay; the failure counts as an attempt.
func (q *Queue) Retry(ctx context.Context, j Job, cause error, after time.Duration) error {
	return q.giveBack(ctx, j, after, `attempts = attempts + 1, stalls = 0, last_error = $5`, text(cause))
}

// Stall gives j back because a dependency is unavailable. Stalls are not limited in number.
func (q *Queue) Stall(ctx context.Context, j Job, cause error, after time.Duration) error {
	return q.giveBack(ctx, j, after, `stalls = stalls + 1, last_error = $5`, text(cause))
}

// Release gives j back immediately as if it had not been claimed, because its worker stops.
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
		due := now.Add(after)
		args := append([]any{j.ID, j.Fence, due.UnixMicro(), waiting(due, now)}, args...)
		tx.Wake(j.lane(), due, now)
		return owned(tx.Exec(`UPDATE job SET state = $4, worker = '', lease_until = 0, run_at = $3, `+set+mine, args...))
	})
}

// Bury marks j as dead; it stays in the table until Requeue or the deletion of its subject.
func (q *Queue) Bury(ctx context.Context, j Job, cause error) error {
	return q.db.UpdateJobs(ctx, func(tx Tx) error {
		return owned(tx.Exec(`UPDATE job SET state = 'dead', worker = '', lease_until = 0,
			attempts = attempts + 1, last_error = $3`+mine, j.ID, j.Fence, text(cause)))
	})
}

// Requeue makes a dead job ready with all its attempts; if account is not empty, it must own the job. The error is
// NotFound if there is no such job, Conflict if it is not dead.
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
		tx.Wake(j.lane(), now, now)
		return err
	})
	if err == nil {
		q.Added()
	}
	return err
}

// Reap makes jobs with expired leases ready again, counts an interruption for each, and returns their number. It also
// wakes the lanes in which jobs have become due.
func (q *Queue) Reap(ctx context.Context) (int64, error) {
	n, err := q.interrupt(ctx, func(now time.Time) int64 { return now.UnixMicro() })
	for more := true; err == nil && more; {
		var looked int
		err = q.db.UpdateJobs(ctx, func(tx Tx) error {
			now, err := tx.Now()
			if err == nil {
				err = tx.ByIndex()
			}
			if err == nil {
				looked, err = wakeDue(tx, now)
			}
			return err
		})
		more = looked == wakesAtOnce
	}
	return n, err
}

// VoidLeases makes all running jobs ready again and counts an interruption for each. A server that is alone on its
// database calls it at startup, when no worker can be running.
func (q *Queue) VoidLeases(ctx context.Context) (int64, error) {
	return q.interrupt(ctx, func(time.Time) int64 { return math.MaxInt64 })
}

func (q *Queue) interrupt(ctx context.Context, expired func(now time.Time) int64) (n int64, err error) {
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		n = 0 // the transaction may run more than once
		now, err := tx.Now()
		if err != nil {
			return err
		}
		for row := range tx.Query(`UPDATE job SET state = 'ready', worker = '', lease_until = 0,
			interruptions = interruptions + 1 WHERE id IN (SELECT id FROM job WHERE state = 'running' AND lease_until <= $1`+
			unlocked(tx)+`) RETURNING kind, account, lane`, expired(now)).Each {
			var l Lane
			if err := row.Scan(&l.Kind, &l.Account, &l.Name); err != nil {
				return err
			}
			n++
			tx.Wake(l, now, now)
		}
		return nil
	})
	if n > 0 {
		q.Added()
	}
	return n, err
}

// text returns a shortened error text for a row.
func text(err error) string {
	const most = 1000
	if err == nil {
		return ""
	}
	return fault.Brief(err, most)
}
