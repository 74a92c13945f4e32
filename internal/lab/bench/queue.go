package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/storage/job"
	"parley/internal/storage/sqldb"
	"parley/internal/storage/store"
)

// Queue is a benchmark of the job queue: claimers take jobs and complete them, in batches, while many others wait.
type Queue struct {
	Generated               // Calls and Words are not used
	Jobs      int           // added before, to those that wait already
	Lanes     int           // among which they are distributed, each of an account of its own
	Claimers  int           // at once
	Batch     int           // jobs per claim
	Duration  time.Duration // of the measurement
	Snapshot  bool          // a transaction reads all the time, as a backup does
}

// QueueResult is the result of Queue.
type QueueResult struct {
	Enqueued time.Duration // until all jobs waited
	Took     time.Duration
	Done     int             // jobs claimed and completed
	Claims   []time.Duration // each claim, sorted
}

const queueKind = "bench"

// Run fills the queue and measures.
func (b Queue) Run(ctx context.Context, progress Progress) (f QueueResult, err error) {
	db, _, err := b.Open(ctx)
	if err != nil {
		return f, err
	}
	defer db.Close()
	began := time.Now()
	if err := b.fill(ctx, db, progress); err != nil {
		return f, err
	}
	f.Enqueued = time.Since(began)
	ctx, cancel := context.WithTimeout(ctx, b.Duration)
	defer cancel()
	var group errgroup.Group
	if b.Snapshot {
		holding := make(chan struct{})
		group.Go(func() error { return b.hold(ctx, db, holding) })
		<-holding
	}
	began = time.Now()
	var mu sync.Mutex
	for n := range b.Claimers {
		group.Go(func() error {
			return b.claim(ctx, db, fmt.Sprint("claimer ", n), func(took time.Duration, jobs int) {
				mu.Lock()
				defer mu.Unlock()
				f.Claims = append(f.Claims, took)
				f.Done += jobs
				progress("claiming", int64(time.Since(began)), int64(b.Duration))
			})
		})
	}
	err = group.Wait()
	f.Took = time.Since(began)
	slices.Sort(f.Claims)
	return f, err
}

// fill enqueues the jobs, those of all lanes in turn.
func (b Queue) fill(ctx context.Context, db *store.Store, progress Progress) error {
	const batch = 1000
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for first := 0; first < b.Jobs; first += batch {
		group.Go(func() error {
			return db.Update(ctx, func(tx *store.Tx) error {
				for n := first; n < min(first+batch, b.Jobs); n++ {
					if _, err := tx.Enqueue(job.Spec{Kind: queueKind, Account: fmt.Sprintf("account-%06d", n%b.Lanes),
						Subject: fmt.Sprint("job-", n), Priority: 1}); err != nil {
						return err
					}
				}
				return nil
			})
		})
		progress("enqueuing", int64(first), int64(b.Jobs))
	}
	return group.Wait()
}

// hold keeps a snapshot of the database until ctx ends.
func (b Queue) hold(ctx context.Context, db *store.Store, holding chan<- struct{}) error {
	defer close(holding)
	whole := sqldb.Patient(context.WithoutCancel(ctx), b.Duration+time.Minute)
	return db.View(whole, func(tx *store.Tx) error {
		if _, err := tx.Accounts(); err != nil {
			return err
		}
		holding <- struct{}{}
		for tick := time.NewTicker(time.Second); ; { // the database ends a transaction that does nothing for long
			select {
			case <-ctx.Done():
				tick.Stop()
				return nil
			case <-tick.C:
				if _, err := tx.Accounts(); err != nil {
					return err
				}
			}
		}
	})
}

// claim claims and completes jobs until ctx ends.
func (b Queue) claim(
	ctx context.Context, db *store.Store, worker string, claimed func(took time.Duration, jobs int),
) error {
	work := context.WithoutCancel(ctx)
	queue := job.NewQueue(store.Jobs(db)) // as on a node of its own
	for ctx.Err() == nil {
		began := time.Now()
		jobs, err := queue.Claim(work,
			job.Claims{Worker: worker, Kinds: []string{queueKind}, Most: b.Batch, PerLane: 8})
		took := time.Since(began)
		if err == nil && len(jobs) == 0 {
			return errors.New("no jobs are left to claim; add more")
		}
		if err == nil {
			err = db.Update(work, func(tx *store.Tx) error {
				for _, j := range jobs {
					if err := tx.CompleteJob(j); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
		claimed(took, len(jobs))
	}
	return nil
}
