package pipeline

import (
	"context"
	"log/slog"

	"parley/internal/media"
	"parley/internal/store"
)

// Get returns a kept artifact of the item.
func (r *run) Get(ctx context.Context, step media.Step, fingerprint string) (data []byte, err error) {
	err = r.Store.View(ctx, func(tx *store.Tx) error {
		kept, ok, err := tx.Artifact(r.media.ID, step, fingerprint)
		if ok {
			data = kept
		}
		return err
	})
	if err == nil && data == nil {
		r.log(ctx, "begun", step, fingerprint)
	}
	return data, err
}

// Put keeps an artifact of the item, if the job is still ours.
func (r *run) Put(ctx context.Context, step media.Step, fingerprint string, data []byte) error {
	err := r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(r.job); err != nil {
			return err
		}
		return tx.PutArtifact(r.media.ID, step, fingerprint, data)
	})
	if err == nil {
		r.log(ctx, "kept", step, fingerprint)
	}
	return err
}

// log tells what becomes of one artifact: how often work is done again after a crash can be counted.
func (r *run) log(ctx context.Context, what string, step media.Step, fingerprint string) {
	r.Log.LogAttrs(ctx, slog.LevelDebug, what, slog.String("media", string(r.media.ID)), slog.String("step", string(step)), slog.String("artifact", fingerprint))
}
