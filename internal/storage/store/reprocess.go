package store

import (
	"database/sql"
	"errors"
	"time"

	"parley/internal/storage/job"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Reprocessing is a request to process an item again, which stands beside the one that the present result was
// made for until it has a result of its own.
type Reprocessing struct {
	Configuration []byte
	Given         []byte    // the transcript that came with it, empty without one
	Finished      time.Time // when the present result was published; zero: there is none, the item had failed
}

// LockMedia returns an account's item and keeps other transactions from changing it until this one ends. NotFound also
// where its time to live is over.
func (tx *Tx) LockMedia(a account.ID, id media.ID) (media.Media, error) {
	if _, err := tx.lockMedia(id); err != nil {
		return media.Media{}, err
	}
	return tx.Media(a, id)
}

// BeginReprocessing stores a request to process an item again, in place of an earlier one that came to nothing, and
// schedules the item; the caller adds the job. Dead jobs of that kind go: what they were to do is asked for
// anew. The result and the request it was made for stay. Conflict when the item is under way.
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
	_, err := tx.exec(`INSERT INTO reprocessing (media, configuration, given, finished) VALUES ($1, $2, $3, $4)
		ON CONFLICT (media) DO UPDATE SET configuration = excluded.configuration, given = excluded.given, finished = excluded.finished`,
		m.ID, bytes(configuration), bytes(given), micros(finished))
	return err
}

// Reprocessing returns the request to process an item again that is under way or has failed and may be tried
// again, nil when there is none.
func (tx *Tx) Reprocessing(id media.ID) (*Reprocessing, error) {
	var r Reprocessing
	var finished int64
	err := tx.row(`SELECT configuration, given, finished FROM reprocessing WHERE media = $1`, id).
		Scan(&r.Configuration, &r.Given, &finished)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	r.Finished = moment(finished)
	return &r, err
}

// CommitReprocessing makes a request to process an item again the item's own. Without such a request it does
// nothing.
func (tx *Tx) CommitReprocessing(id media.ID) error {
	_, err := tx.exec(`UPDATE media_request SET configuration = r.configuration, given = r.given
		FROM reprocessing r WHERE r.media = media_request.media AND media_request.media = $1`, id)
	if err != nil {
		return err
	}
	return tx.DropReprocessing(id)
}

// DropReprocessing forgets a request to process an item again: it has come to nothing for good.
func (tx *Tx) DropReprocessing(id media.ID) error {
	_, err := tx.exec(`DELETE FROM reprocessing WHERE media = $1`, id)
	return err
}

// RestoreFinished makes an item that was processed again without success finished as it was before: since the
// time at which the result that it still has was published. Its time to live counts from then.
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
