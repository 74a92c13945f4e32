package server

import (
	"context"
	"errors"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

const (
	sweepEvery = time.Minute
	sweepBatch = 100
)

// sweep deletes, until ctx ends, what has expired (media past their time to live, recordings that are withheld,
// idempotency keys, ephemeral tokens, endpoints of callbacks that nothing is sent to, old lines of the audit log, turns
// of lanes without work), and replaces the key of signed URLs when it is old. Each node may do it.
func (s *Server) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		switch err := s.Sweep(ctx); {
		case err == nil:
			s.sweeping.Beat()
		case ctx.Err() == nil:
			s.sweeping.Fail(err)
			s.Log.Warn("cannot sweep", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Sweep does now what Run does each minute: all that is due. What fails is tried again next time and keeps
// nothing else from being done.
func (s *Server) Sweep(ctx context.Context) error {
	return errors.Join(
		s.Store.Update(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.ForgetKeys(), tx.ForgetTokens(), tx.ForgetEndpoints(), tx.ForgetTurns())
		}),
		rotateDueKeys(ctx, s.Store),
		s.sweepAudit(ctx),
		s.expire(ctx),
		s.dropWithheld(ctx),
	)
}

// scrub removes, each minute until ctx ends, the traces of what was deleted or replaced. Each process does it.
func (s *Server) scrub(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.Store.Scrub(ctx); err != nil && ctx.Err() == nil {
			s.Log.Info("traces of what was deleted stay until the next time", "error", err)
		}
	}
}

// expire deletes media whose time to live is over.
func (s *Server) expire(ctx context.Context) error {
	for {
		var expired []media.Media
		err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
			expired, err = tx.ExpiredMedia(sweepBatch)
			return err
		})
		if err != nil || len(expired) == 0 {
			return err
		}
		for _, m := range expired {
			if err := pipeline.Expire(ctx, s.Store, m.ID); err != nil {
				return err
			}
		}
	}
}

// dropWithheld removes the recordings of failed items in which something was to be redacted, once they are old.
func (s *Server) dropWithheld(ctx context.Context) error {
	for {
		var old []media.ID
		err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
			old, err = tx.WithheldMedia(pipeline.WithheldLife, sweepBatch)
			return err
		})
		if err != nil || len(old) == 0 {
			return err
		}
		for _, id := range old {
			if err := pipeline.DropWithheld(ctx, s.Store, id, pipeline.WithheldLife); err != nil {
				return err
			}
		}
	}
}

// sweepAudit forgets the lines of the audit log that are older than the operator keeps them.
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
