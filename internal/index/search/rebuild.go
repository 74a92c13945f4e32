package search

import (
	"context"

	"github.com/google/uuid"

	"parley/internal/storage/store"
)

// Status is the progress of the index.
type Status struct {
	State
	Waiting    int64 // changes not applied yet
	Recordings int64 // number of searchable recordings
}

// Status returns the progress of the index.
func (x *Index) Status(ctx context.Context) (Status, error) { return ReadStatus(ctx, x.Store) }

// ReadStatus returns the progress of a database's index.
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

// Rebuild requests a rebuild of the index and waits for its completion. A process must be in Run. Meanwhile queries use
// the existing index. progress is called from time to time.
func (x *Index) Rebuild(ctx context.Context, progress func(Status)) error {
	request := uuid.NewString()
	err := x.Store.Update(ctx, func(tx *store.Tx) error { return tx.SetSetting(requestSetting, []byte(request)) })
	if err != nil {
		return err
	}
	return x.await(ctx, progress, func(s Status) bool { return s.Asked == request })
}

// CaughtUp waits until no changes are pending for the index. A process must be in Run. progress is called from time to
// time.
func (x *Index) CaughtUp(ctx context.Context, progress func(Status)) error {
	return x.await(ctx, progress, func(s Status) bool { return s.Waiting == 0 })
}

// await waits until no generation is under construction and done is true.
func (x *Index) await(ctx context.Context, progress func(Status), done func(Status) bool) error {
	for {
		s, err := x.Status(ctx)
		if err != nil {
			return err
		}
		progress(s)
		if done(s) && s.Next == "" && s.Current != "" {
			return nil
		}
		sleep(ctx, idle)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
