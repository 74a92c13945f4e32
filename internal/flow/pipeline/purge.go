package pipeline

import (
	"context"
	"encoding/json"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// purge is the payload of a purge job: what must go.
type purge struct {
	Blobs []string `json:"blobs"`
	Scrub bool     `json:"scrub,omitempty"` // the traces of deleted rows, too
	// those, and what is left of data keys; earlier versions say scrub beside it
	Keys bool `json:"keys,omitempty"`
}

// PurgeJob asks for blobs to be deleted. It belongs to no account, so that it outlives the one whose
// blobs they were, and is tried until they are gone.
func PurgeJob(blobs []string) job.Spec { return purging(purge{Blobs: blobs}) }

// scrubJob asks for blobs to be deleted and for the traces of deleted rows to be removed.
func scrubJob(blobs []string) job.Spec { return purging(purge{Blobs: blobs, Scrub: true}) }

// destroyJob is scrubJob where a data key was destroyed.
func destroyJob(blobs []string) job.Spec {
	return purging(purge{Blobs: blobs, Keys: true})
}

func purging(what purge) job.Spec {
	payload, err := json.Marshal(what)
	if err != nil {
		panic(err) // texts always encode
	}
	return job.Spec{Kind: KindPurge, Payload: payload}
}

// Purging returns the blobs that jobs will delete.
func Purging(ctx context.Context, db *store.Store) (map[string]bool, error) {
	keys := map[string]bool{}
	jobs, err := db.Queue().List(ctx, job.Filter{Kind: KindPurge, Limit: 1_000_000})
	for _, j := range jobs {
		var what purge
		if err := json.Unmarshal(j.Payload, &what); err != nil {
			return nil, fault.New(fault.Internal, fault.CodeInternal, "payload of purge job: %w", err)
		}
		for _, key := range what.Blobs {
			keys[key] = true
		}
	}
	return keys, err
}

// Delete removes an account's item with everything of it, in one transaction; its blobs go by a purge job.
func Delete(ctx context.Context, db *store.Store, owner account.ID, id media.ID) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		m, err := tx.Media(owner, id)
		if err != nil {
			return err
		}
		blobs, err := tx.DeleteMedia(owner, id)
		if err != nil || m.Sealing == nil || m.Sealed {
			return purgeLater(tx, blobs, err)
		}
		_, err = tx.Enqueue(destroyJob(blobs))
		return err
	})
}

// DeleteAccount removes an account with everything of it, in one transaction; its blobs go by a purge job.
func DeleteAccount(ctx context.Context, db *store.Store, id account.ID) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		blobs, err := tx.DeleteAccount(id)
		if err != nil {
			return err
		}
		_, err = tx.Enqueue(destroyJob(blobs))
		return err
	})
}

// Expire is Delete for an item whose time to live is over; several nodes may do it at once.
func Expire(ctx context.Context, db *store.Store, id media.ID) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		blobs, err := tx.ExpireMedia(id)
		return purgeLater(tx, blobs, err)
	})
}

// WithheldLife is how long the recording of an item that failed is kept, for processing alone, where something was to
// be redacted in it.
const WithheldLife = 30 * 24 * time.Hour

// DropWithheld removes the withheld recording of an item that failed longer ago than a time, and what was given with
// it; several nodes may do it at once.
func DropWithheld(ctx context.Context, db *store.Store, id media.ID, life time.Duration) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		blobs, err := tx.DropWithheld(id, life)
		if err != nil || len(blobs) == 0 {
			return err
		}
		_, err = tx.Enqueue(scrubJob(blobs))
		return err
	})
}

// purgeLater adds the job that deletes what a transaction has left without an owner.
func purgeLater(tx *store.Tx, blobs []string, err error) error {
	if err != nil || len(blobs) == 0 {
		return err
	}
	_, err = tx.Enqueue(PurgeJob(blobs))
	return err
}

// Purge deletes the blobs that a purge job names. Deleting what is gone is no error, so it can be repeated.
func (p *Pipeline) Purge(ctx context.Context, j job.Job) error {
	var what purge
	if err := json.Unmarshal(j.Payload, &what); err != nil {
		return fault.New(fault.Internal, fault.CodeInternal, "payload of purge job: %w", err)
	}
	for _, key := range what.Blobs {
		if err := p.Vault.Blobs.Delete(ctx, key); err != nil {
			return err
		}
	}
	switch {
	case what.Keys:
		return p.Store.ScrubKeys(ctx)
	case what.Scrub:
		return p.Store.Scrub(ctx)
	}
	return nil
}
