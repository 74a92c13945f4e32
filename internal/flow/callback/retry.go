package callback

import (
	"context"

	"parley/internal/call/delivery"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// KindRetry is the job that restarts the schedules of many deliveries.
const KindRetry = "retry"

// Deliveries that are restarted in one transaction, and that are read at once to be counted.
const (
	retriedAtOnce = 50
	countedAtOnce = 1000
)

// BeginRetry records a request to restart the schedules of many deliveries, with its job; it returns the earlier one
// for a request that is repeated.
func BeginRetry(ctx context.Context, db *store.Store, asked store.Retry) (r store.Retry, err error) {
	err = db.Update(ctx, func(tx *store.Tx) error {
		var began bool
		if r, began, err = tx.BeginRetry(asked); err != nil || !began {
			return err
		}
		_, err := tx.Enqueue(job.Spec{Kind: KindRetry, Account: string(r.Account), Subject: r.ID,
			Priority: int(media.Low), MaxAttempts: 5})
		return err
	})
	return r, err
}

// Retry restarts the schedules of the deliveries that a request asks for, in pages: each page restarts its deliveries
// and records the place in one transaction, so that another worker continues from there and none is restarted twice.
func (c *Caller) Retry(ctx context.Context, j job.Job) error {
	r, err := store.Read(ctx, c.Store, func(tx *store.Tx) (store.Retry, error) { return tx.Retry("", j.Subject) })
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err == nil && r.Total == store.Uncounted {
		err = c.count(ctx, j, r)
	}
	if err != nil {
		return err
	}
	for more := true; more; {
		if err := c.pause(ctx); err != nil {
			return err
		}
		job.Progress(ctx)
		if more, err = c.retrySome(ctx, j, &r); err != nil {
			return err
		}
	}
	return c.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.CompleteJob(j); err != nil {
			return err
		}
		return tx.EndRetry(r.ID, store.ApplyFinished)
	})
}

// pause returns an error when the worker has to stop.
func (c *Caller) pause(ctx context.Context) error {
	select {
	case <-job.Draining(ctx):
		return job.ErrDrained
	case <-ctx.Done():
		return context.Cause(ctx)
	default:
		return nil
	}
}

// count records how many deliveries match.
func (c *Caller) count(ctx context.Context, j job.Job, r store.Retry) error {
	total := int64(0)
	for more := true; more; {
		if err := c.pause(ctx); err != nil {
			return err
		}
		job.Progress(ctx)
		matching, next, err := c.some(ctx, &r, countedAtOnce)
		if err != nil {
			return err
		}
		total += int64(len(matching))
		r.Place, more = next, next != ""
	}
	return c.fenced(ctx, j, func(tx *store.Tx) error { return tx.CountRetry(r.ID, total) })
}

// some returns those that match of the deliveries after the place, and the place of the next ones; empty if there are
// none.
func (c *Caller) some(ctx context.Context, r *store.Retry, limit int) (matching []delivery.Delivery, next string, err error) {
	err = c.Store.View(ctx, func(tx *store.Tx) error {
		page, after, err := tx.DeliveryPage(r.Account, r.Deliveries(limit))
		matching, next = nil, after
		for _, d := range page {
			if r.Matches(d) {
				matching = append(matching, d)
			}
		}
		return err
	})
	return matching, next, err
}

// retrySome restarts the next page, and reports whether there may be more.
func (c *Caller) retrySome(ctx context.Context, j job.Job, r *store.Retry) (more bool, err error) {
	matching, next, err := c.some(ctx, r, retriedAtOnce)
	if err != nil {
		return false, err
	}
	place := next
	if place == "" && len(matching) > 0 {
		place = matching[len(matching)-1].ID
	}
	if place == "" {
		return false, nil
	}
	err = c.fenced(ctx, j, func(tx *store.Tx) error {
		done := 0
		for _, d := range matching {
			restarted, err := c.restart(tx, r, d)
			if err != nil {
				return err
			}
			if restarted {
				done++
			}
		}
		if err := tx.Progressed(j); err != nil {
			return err
		}
		return tx.AdvanceRetry(r.ID, place, done)
	})
	r.Place = place
	return next != "", err
}

// restart restarts a delivery, unless it is gone, has another state by now, or is being tried.
func (c *Caller) restart(tx *store.Tx, r *store.Retry, seen delivery.Delivery) (bool, error) {
	d, err := tx.Delivery(r.Account, seen.Media, seen.ID)
	if fault.Is(err, fault.NotFound) || err == nil && !r.Matches(d) {
		return false, nil
	}
	if err == nil {
		d, err = Again(tx, r.Account, d.Media, d.ID)
	}
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, tx.MarkRetried(d, r.ID)
}

// fenced runs f in a transaction of a held job.
func (c *Caller) fenced(ctx context.Context, j job.Job, f func(*store.Tx) error) error {
	return c.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		return f(tx)
	})
}
