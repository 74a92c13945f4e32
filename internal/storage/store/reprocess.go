package store

import (
	"database/sql"
	"errors"
	"time"

	"parley/internal/storage/job"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Reprocessing is a request to process an item again. It is kept beside the request of the present result until it has
// a result of its own.
type Reprocessing struct {
	Configuration []byte
	Given         []byte    // the transcript supplied with it, empty if there is none
	Finished      time.Time // when the present result was published; zero: no result, the item had failed
}

// LockMedia returns an account's item and prevents changes by other transactions until this one ends. NotFound also if
// its time to live has expired.
func (tx *Tx) LockMedia(a account.ID, id media.ID) (media.Media, error) {
	if _, err := tx.lockMedia(id); err != nil {
		return media.Media{}, err
	}
	return tx.Media(a, id)
}

// BeginReprocessing stores a request to process an item again, replaces an earlier request that failed, and schedules
// the item; the caller adds the job. It deletes dead jobs of that kind, because their work is requested again. The
// present result and its request stay. Conflict if the item is being processed.
func (tx *Tx) BeginReprocessing(m media.Media, kind string, configuration, given []byte) error {
	if err := tx.SetStatus(m.ID, media.Scheduled, media.Finished, media.Failed); err != nil {
		return err
	}
	if err := job.DeleteDead(jobTx{tx}, string(m.Account), string(m.ID), kind); err != nil {
		return err
	}
	var finished time.Time
	if m.Status == media.Finished {
		finished = m.Finished
	}
	if _, err := tx.NextGeneration(m.ID); err != nil {
		return err
	}
	return tx.exec(`INSERT INTO reprocessing (media, configuration, given, finished) VALUES ($1, $2, $3, $4)
		ON CONFLICT (media) DO UPDATE SET configuration = excluded.configuration, given = excluded.given, finished = excluded.finished`,
		m.ID, bytes(configuration), bytes(given), micros(finished))
}

// Reprocessing returns the pending or failed (but retryable) request to process an item again, nil if there is none.
func (tx *Tx) Reprocessing(id media.ID) (*Reprocessing, error) {
	var r Reprocessing
	err := tx.row(`SELECT configuration, given, finished FROM reprocessing WHERE media = $1`, id).
		Scan(&r.Configuration, &r.Given, instant{&r.Finished})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &r, err
}

// CommitReprocessing makes a reprocessing request the item's current request. Without such a request it does nothing.
func (tx *Tx) CommitReprocessing(id media.ID) error {
	err := tx.exec(`UPDATE media_request SET configuration = r.configuration, given = r.given
		FROM reprocessing r WHERE r.media = media_request.media AND media_request.media = $1`, id)
	if err != nil {
		return err
	}
	return tx.DropReprocessing(id)
}

// DropReprocessing deletes a reprocessing request that has failed permanently.
func (tx *Tx) DropReprocessing(id media.ID) error {
	return tx.exec(`DELETE FROM reprocessing WHERE media = $1`, id)
}

// RestoreFinished resets an item whose reprocessing failed to finished, as of the time at which its present result was
// published. Its time to live starts then.
func (tx *Tx) RestoreFinished(id media.ID, finished time.Time) error {
	if err := tx.SetStatus(id, media.Finished, media.Scheduled, media.Running, media.Finished); err != nil {
		return err
	}
	return tx.SetFinished(id, finished)
}

// SetPriority stores the priority of an item's next job.
func (tx *Tx) SetPriority(id media.ID, p media.Priority) error {
	return tx.setMedia(id, `priority = $2`, p)
}
