package store

import (
	"strconv"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Storage returns the total size in bytes of an account's streams. On PostgreSQL it does not include uncommitted
// additions of other transactions.
func (tx *Tx) Storage(a account.ID) (bytes int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COALESCE(CAST(SUM(bytes) AS BIGINT), 0) FROM storage WHERE account = $1`,
		a))
}

// addStorage adds bytes, which may be negative, to the total of an existing media item's account.
func (tx *Tx) addStorage(id media.ID, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return tx.exec(`INSERT INTO storage (account, shard, bytes)
		SELECT account, CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM media WHERE id = $1
		ON CONFLICT (account, shard) DO UPDATE SET bytes = storage.bytes + excluded.bytes`, id, shard(id), bytes)
}

// shard selects the counter row of an item by the last digit of its id, which is random.
func shard(id media.ID) uint64 {
	n, _ := strconv.ParseUint(string(id[max(len(id)-1, 0):]), 16, 64)
	return n
}

// streamBytes returns the total size in bytes of the streams that match a condition.
func (tx *Tx) streamBytes(where string, args ...any) (bytes int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COALESCE(CAST(SUM(size) AS BIGINT), 0) FROM stream WHERE `+where, args...))
}
