package server

import (
	"context"
	"errors"
	"time"

	"parley/internal/media"
	"parley/internal/pipeline"
	"parley/internal/store"
)

const (
	sweepEvery = time.Minute
	sweepBatch = 100
)

// sweep deletes, until ctx ends, what has expired: media past their time to live, idempotency keys and
// ephemeral tokens.
func (s *Server) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.sweepOnce(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("cannot delete what has expired", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Server) sweepOnce(ctx context.Context) error {
	if err := s.Store.Update(ctx, func(tx *store.Tx) error { return errors.Join(tx.ForgetKeys(), tx.ForgetTokens()) }); err != nil {
		return err
	}
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
			if err := pipeline.Delete(ctx, s.Store, m.Account, m.ID); err != nil {
				return err
			}
		}
	}
}
