package store

import (
	"database/sql"
	"errors"

	"parley/internal/storage/job"
	"parley/internal/words/media"
)

// PutArtifact stores the output of a step, so that it need not be computed again. It replaces an artifact with the same
// key. It counts as progress of the item's running job: it resets the interruptions.
func (tx *Tx) PutArtifact(id media.ID, step media.Step, key string, data []byte) error {
	kept, err := tx.cover(id, data)
	if err != nil {
		return err
	}
	err = tx.exec(`INSERT INTO artifact (media, step, key, data) VALUES ($1, $2, $3, $4)
		ON CONFLICT (media, step, key) DO UPDATE SET data = excluded.data`, id, step, key, kept[0])
	if err != nil {
		return err
	}
	return job.Advanced(jobTx{tx}, string(id))
}

// Artifact returns the output of a step under a key; false if there is none.
func (tx *Tx) Artifact(id media.ID, step media.Step, key string) (data []byte, ok bool, err error) {
	err = tx.row(`SELECT data FROM artifact WHERE media = $1 AND step = $2 AND key = $3`, id, step, key).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	cover, err := tx.dataKey(id)
	if err != nil {
		return nil, false, err
	}
	data, err = cover.Unseal(data)
	return data, err == nil, err
}

// DeleteArtifacts removes all artifacts of a media item.
func (tx *Tx) DeleteArtifacts(id media.ID) error {
	return tx.exec(`DELETE FROM artifact WHERE media = $1`, id)
}
