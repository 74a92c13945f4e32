package store

import (
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Kept returns all streams of an item by name, including withheld ones, for processing.
func (tx *Tx) Kept(id media.ID) ([]media.Stream, error) {
	return sqlrow.All(tx.query(`SELECT `+streamColumns+` FROM stream WHERE stream.media = $1 ORDER BY stream.name`,
		id), tx.scanStream)
}

// SetWithheld sets whether the present streams of an item are withheld from everything except processing.
func (tx *Tx) SetWithheld(id media.ID, withheld bool) error {
	return tx.exec(`UPDATE stream SET withheld = $2 WHERE media = $1`, id, flag(withheld))
}

// WithheldMedia returns up to limit items that failed more than life ago and have withheld streams.
func (tx *Tx) WithheldMedia(life time.Duration, limit int) ([]media.ID, error) {
	now, err := tx.now()
	if err != nil {
		return nil, err
	}
	return sqlrow.All(tx.query(`SELECT DISTINCT stream.media FROM stream JOIN media ON media.id = stream.media
		WHERE stream.withheld = 1 AND media.status = $1 AND media.finished <= $2 ORDER BY stream.media LIMIT $3`,
		media.Failed, now.Add(-life).UnixMicro(), limit), sqlrow.Cell[media.ID])
}

// DropWithheld removes the withheld streams of an item that failed more than life ago, and the transcripts supplied
// with it. It returns the blob keys; none if the item has been deleted or is being processed again.
func (tx *Tx) DropWithheld(id media.ID, life time.Duration) (blobs []string, err error) {
	now, err := tx.now()
	if err != nil {
		return nil, err
	}
	m, err := tx.lockMedia(id)
	if fault.Is(err, fault.NotFound) || err == nil && (m.Status != media.Failed || m.Finished.After(now.Add(-life))) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	blobs, err = tx.deleteStreams(id, func(s media.Stream) bool { return s.Withheld })
	if err != nil {
		return nil, err
	}
	if err := tx.exec(`UPDATE reprocessing SET given = $2 WHERE media = $1`, id, []byte{}); err != nil {
		return nil, err
	}
	return blobs, tx.DropGiven(id)
}
