package store

import (
	"time"

	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Retention returns how long an account's media are kept after they are done, unless their configuration says
// otherwise: nil means the server's default, 0 without limit.
func (tx *Tx) Retention(id account.ID) (*time.Duration, error) {
	var life *int64
	err := tx.row(`SELECT time_to_live FROM account WHERE id = $1`, id).Scan(&life)
	if _, err = found(0, err, noAccount("id", string(id))); err != nil || life == nil {
		return nil, err
	}
	d := time.Duration(*life) * time.Microsecond
	return &d, nil
}

// SetRetention sets what Retention returns, for media accepted from now on.
func (tx *Tx) SetRetention(id account.ID, life *time.Duration) error {
	var column *int64
	if life != nil {
		column = new(life.Microseconds())
	}
	return tx.changed(noAccount("id", string(id)), `UPDATE account SET time_to_live = $2 WHERE id = $1`, id, column)
}

// ExpireMedia is DeleteMedia for an item returned by ExpiredMedia. It does nothing if the item has been deleted
// meanwhile or its expiry was extended. It writes to the audit log.
func (tx *Tx) ExpireMedia(id media.ID) (blobs []string, err error) {
	now, err := tx.now()
	if err != nil {
		return nil, err
	}
	m, err := tx.lockMedia(id)
	if fault.Is(err, fault.NotFound) || err == nil && (m.Expires.IsZero() || m.Expires.After(now)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if blobs, err = tx.DeleteMedia(m.Account, id); err != nil {
		return nil, err
	}
	return blobs, tx.AddEvents(audit.Event{
		ID: audit.NewID(), Account: m.Account, By: audit.ByExpiry, Action: audit.Delete, Object: "media", Media: id,
		Outcome: audit.Done,
	})
}
