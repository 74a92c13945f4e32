package store

import (
	"context"
	"database/sql"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// jobTx adapts a transaction to package job.
type jobTx struct{ *Tx }

func (tx jobTx) Exec(query string, args ...any) (int64, error) { return tx.affected(query, args...) }
func (tx jobTx) Query(query string, args ...any) sqlrow.Rows {
	return sqlrow.Of(tx.sql.QueryContext(tx.ctx, query, tx.bound(query, args)...))
}
func (tx jobTx) QueryRow(query string, args ...any) *sql.Row { return tx.Tx.row(query, args...).Row }
func (tx jobTx) Now() (time.Time, error)                     { return tx.now() }
func (tx jobTx) RowLocks() bool                              { return tx.postgres }
func (tx jobTx) Wake(l job.Lane, due, now time.Time)         { tx.wakes.Add(l, due, now) }

// ByIndex implements job.Tx.
func (tx jobTx) ByIndex() error {
	if !tx.postgres {
		return nil
	}
	return tx.exec(`SELECT set_config('enable_seqscan', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE),
		set_config('enable_mergejoin', 'off', TRUE), set_config('jit', 'off', TRUE)`)
}

// jobs adapts a store to package job.
type jobs struct{ *Store }

// Jobs adapts a store to package job; other callers need Queue only.
func Jobs(s *Store) job.Database { return jobs{s} }

func (s jobs) UpdateJobs(ctx context.Context, f func(job.Tx) error) error {
	return s.Update(ctx, func(tx *Tx) error { return f(jobTx{tx}) })
}

func (s jobs) ViewJobs(ctx context.Context, f func(job.Tx) error) error {
	return s.View(ctx, func(tx *Tx) error { return f(jobTx{tx}) })
}

// Enqueue adds a job. When the transaction commits, the job becomes claimable and this process's workers are woken.
func (tx *Tx) Enqueue(s job.Spec) (job.ID, error) {
	tx.added = true
	return job.Enqueue(jobTx{tx}, s)
}

// FenceJob returns job.ErrLost if j is not held any more. Every transaction in which a worker writes something for its
// job must call FenceJob or CompleteJob first.
func (tx *Tx) FenceJob(j job.Job) error { return job.Fence(jobTx{tx}, j) }

// CompleteJob removes a job whose effects this transaction writes; job.ErrLost if it is not held any more.
func (tx *Tx) CompleteJob(j job.Job) error { return job.Complete(jobTx{tx}, j) }

// DropJob removes a job that no worker holds.
func (tx *Tx) DropJob(j job.Job) error { return job.Drop(jobTx{tx}, j) }

// RescheduleJob gives a held job back to run at a given time with a new payload and all its attempts; job.ErrLost if it
// is not held any more.
func (tx *Tx) RescheduleJob(j job.Job, at time.Time, payload []byte) error {
	tx.added = true
	return job.Reschedule(jobTx{tx}, j, at, payload)
}

// PutOffJob gives a held job back like RescheduleJob, to run after a pause.
func (s *Store) PutOffJob(ctx context.Context, j job.Job, pause time.Duration, payload []byte) error {
	return s.Update(ctx, func(tx *Tx) error {
		now, err := tx.now()
		if err != nil {
			return err
		}
		return tx.RescheduleJob(j, now.Add(pause), payload)
	})
}

// Job returns one job of an account, or of any account if that is empty.
func (tx *Tx) Job(a account.ID, id job.ID) (job.Job, error) {
	missing := fault.New(fault.NotFound, fault.CodeNotFound, "no job with id %q", string(id))
	j, err := job.Get(jobTx{tx}, id)
	if err == nil && a != "" && j.Account != string(a) {
		return job.Job{}, missing
	}
	return found(j, err, missing)
}

// JobsOf returns the jobs on a media item, oldest first.
func (tx *Tx) JobsOf(a account.ID, id media.ID) ([]job.Job, error) {
	return job.OfSubject(jobTx{tx}, string(a), string(id))
}
