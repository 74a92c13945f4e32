package search

import (
	"context"

	"github.com/google/uuid"

	"parley/internal/storage/store"
)

// Status is how far the index is.
type Status struct {
	State
	Waiting    int64 // changes that it has not taken over
	Recordings int64 // that are to be found
}

// Status reports how far the index is.
func (x *Index) Status(ctx context.Context) (Status, error) { return ReadStatus(ctx, x.Store) }

// ReadStatus reports how far the index of a database is.
func ReadStatus(ctx context.Context, db *store.Store) (s Status, err error) {
	err = db.View(ctx, func(tx *store.Tx) (err error) {
		if s.State, err = loadState(tx); err != nil {
			return err
		}
		if s.Waiting, err = tx.CountChanges(); err != nil {
			return err
		}
		s.Recordings, err = tx.CountSearchable()
		return err
	})
	return s, err
}

// Rebuild asks for the index to be built again, and waits until it is. Some process must be in Run. Meanwhile queries
// use the index that there is. progress is told from time to time how far it is.
func (x *Index) Rebuild(ctx context.Context, progress func(Status)) error {
	request := uuid.NewString()
	err := x.Store.Update(ctx, func(tx *store.Tx) error { return tx.SetSetting(requestSetting, []byte(request)) })
	for err == nil {
		var s Status
		if s, err = x.Status(ctx); err != nil {
			break
		}
		progress(s)
		if s.Asked == request && s.Next == "" && s.Current != "" {
			return nil
		}
		sleep(ctx, idle)
		err = ctx.Err()
	}
	return err
}

// CaughtUp waits until nothing waits for the index. Some process must be in Run. progress is told from time to time how
// far it is.
func (x *Index) CaughtUp(ctx context.Context, progress func(Status)) error {
	for {
		s, err := x.Status(ctx)
		if err != nil {
			return err
		}
		progress(s)
		if s.Waiting == 0 && s.Next == "" && s.Current != "" {
			return nil
		}
		sleep(ctx, idle)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
