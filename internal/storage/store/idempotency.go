package store

import (
	stdbytes "bytes"
	"database/sql"
	"errors"
	"time"

	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// keyLife is how long an idempotency key is remembered.
const keyLife = 24 * time.Hour

// RememberKey records, in the transaction that accepts a media item, the idempotency key and the hash of its request.
// If the key is already in use, it returns the id of the item it was used for, and the caller discards its own item by
// returning an error or not inserting it; Conflict with code 95013 if it was used with another request. It waits for a
// concurrent transaction with the same key. The key of a deleted or expired item can be used again.
func (tx *Tx) RememberKey(a account.ID, key string, hash []byte, id media.ID) (first media.ID, err error) {
	now, err := tx.now()
	if err != nil {
		return "", err
	}
	err = tx.exec(`INSERT INTO idempotency (account, key, media, hash, created) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account, key) DO UPDATE SET media = excluded.media, hash = excluded.hash, created = excluded.created
		WHERE idempotency.created < $6 OR idempotency.media IN (SELECT id FROM media WHERE `+tx.expired()+`)`,
		a, key, id, bytes(hash), now.UnixMicro(), now.Add(-keyLife).UnixMicro())
	if err != nil {
		return "", err
	}
	first, _, err = tx.KeyUsed(a, key, hash)
	return first, err
}

// KeyUsed returns the media item for which an idempotency key was used in the last 24 hours; false if there is none,
// Conflict with code 95013 if it was used with another request.
func (tx *Tx) KeyUsed(a account.ID, key string, hash []byte) (id media.ID, ok bool, err error) {
	now, err := tx.now()
	if err != nil {
		return "", false, err
	}
	var before []byte
	err = tx.row(`SELECT media, hash FROM idempotency WHERE account = $1 AND key = $2 AND created >= $3
		AND media NOT IN (SELECT id FROM media WHERE `+tx.expired()+`)`,
		a, key, now.Add(-keyLife).UnixMicro()).Scan(&id, &before)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err == nil && !stdbytes.Equal(before, hash) {
		return "", false, fault.New(fault.Conflict, fault.CodeIdempotency,
			"the Idempotency-Key was used with another request in the last 24 hours; use a new key")
	}
	return id, err == nil, err
}

// ForgetKeys removes the keys older than 24 hours.
func (tx *Tx) ForgetKeys() error {
	return tx.deleteOlder(keyLife, `DELETE FROM idempotency WHERE created < $1`)
}
