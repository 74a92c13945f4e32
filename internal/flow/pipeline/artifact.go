package pipeline

import (
	"context"
	"log/slog"

	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// Get returns a kept artifact of the item.
func (a *attempt) Get(ctx context.Context, step media.Step, fingerprint string) (data []byte, err error) {
	data, err = store.Read(ctx, a.Store, func(tx *store.Tx) ([]byte, error) {
		kept, _, err := tx.Artifact(a.media, step, fingerprint)
		return kept, err
	})
	if err == nil && data == nil {
		a.log(ctx, "begun", step, fingerprint)
	}
	return data, err
}

// Put stores an artifact of the item, if the job still belongs to this worker.
func (a *attempt) Put(ctx context.Context, step media.Step, fingerprint string, data []byte) error {
	err := a.fenced(ctx, a.job, func(tx *store.Tx) error {
		return tx.PutArtifact(a.media, step, fingerprint, data)
	})
	if err == nil {
		a.log(ctx, "kept", step, fingerprint)
	}
	return err
}

// log records the use of an artifact, so that the work repeated after a crash can be counted.
func (a *attempt) log(ctx context.Context, what string, step media.Step, fingerprint string) {
	a.Log.LogAttrs(ctx, slog.LevelDebug, what,
		slog.String("media", string(a.media)), slog.String("step", string(step)), slog.String("artifact", fingerprint))
}
