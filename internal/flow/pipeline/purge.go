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

// purge is the payload of a purge job.
type purge struct {
	Blobs []string `json:"blobs"`
	Scrub bool     `json:"scrub,omitempty"` // also remove traces of deleted rows
	// also remove those traces and remains of data keys; earlier versions set scrub as well
	Keys bool `json:"keys,omitempty"`
}

// PurgeJob returns a job that deletes blobs, and remains of their keys if they had some. It belongs to no account, so
// that it outlives the account of the blobs, and it is retried until they are deleted.
func PurgeJob(blobs []string, keys bool) job.Spec { return purge{Blobs: blobs, Keys: keys}.job() }

func (what purge) job() job.Spec {
	payload, err := json.Marshal(what)
	if err != nil {
		panic(err) // strings always encode
	}
	return job.Spec{Kind: KindPurge, Payload: payload}
}

// purgeLater adds the job that deletes what a transaction has orphaned; none if that is nothing.
func purgeLater(tx *store.Tx, what purge) error {
	if len(what.Blobs) == 0 && !what.Scrub && !what.Keys {
		return nil
	}
	_, err := tx.Enqueue(what.job())
	return err
}

// Purging returns the blobs that pending jobs will delete.
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

// Delete deletes an account's item and all its data in one transaction; a purge job deletes its blobs.
func Delete(ctx context.Context, db *store.Store, owner account.ID, id media.ID) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		m, err := tx.Media(owner, id)
		if err != nil {
			return err
		}
		blobs, err := tx.DeleteMedia(owner, id)
		if err != nil {
			return err
		}
		return purgeLater(tx, purge{Blobs: blobs, Keys: m.Sealing != nil && !m.Sealed})
	})
}

// DeleteAccount deletes an account and all its data in one transaction; a purge job deletes its blobs.
func DeleteAccount(ctx context.Context, db *store.Store, id account.ID) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		blobs, err := tx.DeleteAccount(id)
		if err != nil {
			return err
		}
		return purgeLater(tx, purge{Blobs: blobs, Keys: true})
	})
}

// Expire is Delete for an item whose time to live is over; several nodes may call it concurrently.
func Expire(ctx context.Context, db *store.Store, id media.ID) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		blobs, err := tx.ExpireMedia(id)
		if err != nil {
			return err
		}
		return purgeLater(tx, purge{Blobs: blobs})
	})
}

// WithheldLife is how long the recording of a failed item is kept, only for processing, if something was to be redacted
// in it.
const WithheldLife = 30 * 24 * time.Hour

// DropWithheld deletes the withheld recording of an item that failed longer than life ago, and what was submitted with
// it; several nodes may call it concurrently.
func DropWithheld(ctx context.Context, db *store.Store, id media.ID, life time.Duration) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		blobs, err := tx.DropWithheld(id, life)
		if err != nil || len(blobs) == 0 {
			return err
		}
		return purgeLater(tx, purge{Blobs: blobs, Scrub: true})
	})
}

// Purge deletes the blobs of a purge job. It can be repeated: deleting a missing blob is no error.
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
		return p.Store.ScrubKeys(ctx, j.Created)
	case what.Scrub:
		return p.Store.Scrub(ctx)
	}
	return nil
}
