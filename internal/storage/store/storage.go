package store

import (
	"strconv"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Storage returns how many bytes the streams of an account have. On PostgreSQL it does not count what other
// transactions are about to add.
func (tx *Tx) Storage(a account.ID) (bytes int64, err error) {
	err = tx.row(`SELECT COALESCE(CAST(SUM(bytes) AS BIGINT), 0) FROM storage WHERE account = $1`, a).Scan(&bytes)
	return bytes, err
}

// addStorage counts bytes that a media item, which must be there, has more or, below 0, less.
func (tx *Tx) addStorage(id media.ID, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	_, err := tx.exec(`INSERT INTO storage (account, shard, bytes)
		SELECT account, CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM media WHERE id = $1
		ON CONFLICT (account, shard) DO UPDATE SET bytes = storage.bytes + excluded.bytes`, id, shard(id), bytes)
	return err
}

// shard is the row that counts an item: the last digit of its id, which is random.
func shard(id media.ID) uint64 {
	n, _ := strconv.ParseUint(string(id[max(len(id)-1, 0):]), 16, 64)
	return n
}

// streamBytes returns the bytes of some streams.
func (tx *Tx) streamBytes(where string, args ...any) (bytes int64, err error) {
	err = tx.row(`SELECT COALESCE(CAST(SUM(size) AS BIGINT), 0) FROM stream WHERE `+where, args...).Scan(&bytes)
	return bytes, err
}
