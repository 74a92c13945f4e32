package server

import (
	"context"
	"errors"
	"iter"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

const (
	sweepEvery = time.Minute
	sweepBatch = 100
)

// sweep deletes expired data until ctx ends: media past their time to live, withheld recordings, idempotency keys,
// ephemeral tokens, sessions and one-time links that have ended, callback endpoints without deliveries, old audit events, and what servers of earlier versions leave. It also replaces the key for signed
// URLs when it is old. Every node may run it.
func (s *Server) sweep(ctx context.Context) {
	for range ticks(ctx, sweepEvery) {
		switch err := s.Sweep(ctx); {
		case err == nil:
			s.sweeping.Beat()
		case ctx.Err() == nil:
			s.sweeping.Fail(err)
			s.Log.Warn("deleting expired data failed", "error", err)
		}
	}
}

// ticks yields at once and then at an interval, until ctx ends.
func ticks(ctx context.Context, every time.Duration) iter.Seq[int] {
	return func(yield func(int) bool) {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for n := 0; yield(n); n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}

// Sweep does immediately what Run does every minute. A part that fails is retried next time and does not prevent the
// others.
func (s *Server) Sweep(ctx context.Context) error {
	return errors.Join(
		s.Store.Update(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.ForgetKeys(), tx.ForgetTokens(), tx.ForgetSessions(), tx.ForgetEndpoints(),
				tx.ForgetRetries())
		}),
		s.Store.ForgetChanges(ctx),
		s.mendLanes(ctx),
		rotateDueKeys(ctx, s.Store),
		s.sweepAudit(ctx),
		s.expire(ctx),
		s.dropWithheld(ctx),
	)
}

// mendLanes lets the queue find jobs that no claim would find. There are none, unless somebody has changed the tables.
func (s *Server) mendLanes(ctx context.Context) error {
	n, err := s.Store.Queue().Mend(ctx)
	if n > 0 {
		s.Log.Warn("found jobs that no worker would have claimed; they are claimed now", "lanes", n)
	}
	return err
}

// scrub removes the traces of deleted or replaced data every minute until ctx ends. Every process runs it.
func (s *Server) scrub(ctx context.Context) {
	for n := range ticks(ctx, sweepEvery) {
		if n == 0 {
			continue // it does not delay a start
		}
		if err := s.Store.Scrub(ctx); err != nil && ctx.Err() == nil {
			s.Log.Info("erasing traces of deleted data postponed", "error", err)
		}
	}
}

// expire deletes media whose time to live is over.
func (s *Server) expire(ctx context.Context) error {
	return inBatches(ctx, s.Store, func(tx *store.Tx) ([]media.Media, error) { return tx.ExpiredMedia(sweepBatch) },
		func(m media.Media) error { return pipeline.Expire(ctx, s.Store, m.ID) })
}

// inBatches calls do for everything that list returns, until it returns nothing.
func inBatches[T any](
	ctx context.Context, db *store.Store, list func(*store.Tx) ([]T, error), do func(T) error,
) error {
	for {
		batch, err := store.Read(ctx, db, list)
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, one := range batch {
			if err := do(one); err != nil {
				return err
			}
		}
	}
}

// dropWithheld deletes old recordings of failed items in which something was to be redacted.
func (s *Server) dropWithheld(ctx context.Context) error {
	return inBatches(ctx, s.Store,
		func(tx *store.Tx) ([]media.ID, error) { return tx.WithheldMedia(pipeline.WithheldLife, sweepBatch) },
		func(id media.ID) error { return pipeline.DropWithheld(ctx, s.Store, id, pipeline.WithheldLife) })
}

// sweepAudit deletes audit events that are older than the configured retention.
func (s *Server) sweepAudit(ctx context.Context) error {
	for more := s.Settings.AuditDays > 0; more; {
		err := s.Store.Update(ctx, func(tx *store.Tx) (err error) {
			more, err = tx.ForgetEvents(time.Duration(s.Settings.AuditDays) * 24 * time.Hour)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
