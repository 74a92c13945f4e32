package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// storageKeys is the setting with the ids of the storage keys that may be in use in this database.
const storageKeys = "storage keys"

// KeysKept counts the stored keys of streams and items by the id of the storage key that wraps them; unwrapped ones are
// under "". It reads every row.
func (tx *Tx) KeysKept() (map[string]int64, error) {
	kept := map[string]int64{}
	for row := range tx.query(`SELECT head, COUNT(*) FROM (
		SELECT CASE WHEN length(kept) = 32 THEN substr(kept, 1, 0) ELSE substr(kept, 1, 9) END AS head FROM (
			SELECT key AS kept FROM stream WHERE key IS NOT NULL UNION ALL SELECT key FROM data_key
			UNION ALL SELECT key FROM segment WHERE key IS NOT NULL
			UNION ALL SELECT values_key FROM segment WHERE values_key IS NOT NULL
		) AS keys
	) AS heads GROUP BY head`).Each {
		var head []byte
		var n int64
		if err := row.Scan(&head, &n); err != nil {
			return nil, err
		}
		id := ""
		if len(head) > 0 {
			id = cipher.HeadID(head)
		}
		kept[id] = n
	}
	return kept, nil
}

// ClaimStorageKeys checks that the keys in the database can be read with the available storage keys, and records the
// wrapping one. Conflict, naming the storage key, if one is missing.
func (s *Store) ClaimStorageKeys(ctx context.Context) error {
	var noted []string
	kept := map[string]int64{}
	if err := s.View(ctx, func(tx *Tx) (err error) {
		if noted, err = tx.notedStorageKeys(tx.Setting); err != nil || len(without(noted, s.keys.IDs())) == 0 {
			return err
		}
		kept, err = tx.KeysKept()
		return err
	}); err != nil {
		return err
	}
	if err := s.lacking(kept); err != nil {
		return err
	}
	// A recorded key that is neither available nor in use has been rotated out.
	return s.noteStorageKeys(ctx, without(noted, append(slices.Collect(maps.Keys(kept)), s.keys.IDs()...)))
}

// lacking returns an error that names the storage key missing for stored keys.
func (s *Store) lacking(kept map[string]int64) error {
	delete(kept, "")
	for _, id := range without(slices.Sorted(maps.Keys(kept)), s.keys.IDs()) {
		return fault.New(fault.Conflict, fault.CodeConflict,
			"the keys of %d recordings are wrapped with storage key %s, which this server does not have; start it "+
				"with --storage-key-file and a file that contains this key", kept[id], id)
	}
	return nil
}

// noteStorageKeys adds the wrapping storage key to the recorded ones, and removes the given ones.
func (s *Store) noteStorageKeys(ctx context.Context, gone []string) error {
	if s.keys == nil && len(gone) == 0 {
		return nil
	}
	return s.Update(ctx, func(tx *Tx) error {
		if err := tx.lockStorageKeys(); err != nil {
			return err
		}
		noted, err := tx.notedStorageKeys(tx.Setting)
		if err != nil {
			return err
		}
		now := without(noted, gone)
		if ids := s.keys.IDs(); len(ids) > 0 && !slices.Contains(now, ids[0]) {
			now = append(now, ids[0])
		}
		if slices.Equal(noted, now) {
			return nil
		}
		return tx.SetSetting(storageKeys, []byte(strings.Join(now, " ")))
	})
}

// lockStorageKeys blocks other transactions that announce a server, record storage keys or rewrap, until this
// transaction ends.
func (tx *Tx) lockStorageKeys() error {
	if _, err := tx.SettingOr(storageKeys, nil); err != nil {
		return err
	}
	_, err := tx.LockSetting(storageKeys)
	return err
}

// CheckStorageKeys checks that this server has every storage key in use. Its cost does not grow with the number of
// recordings.
func (s *Store) CheckStorageKeys(ctx context.Context) error {
	return s.View(ctx, func(tx *Tx) error {
		noted, err := tx.notedStorageKeys(tx.Setting)
		if err != nil {
			return err
		}
		for _, id := range without(noted, s.keys.IDs()) {
			used, err := tx.keepsUnder(id)
			if err != nil {
				return err
			}
			if used {
				return fault.New(fault.Conflict, fault.CodeConflict,
					"recordings are encrypted with storage key %s, which this server does not have; start it "+
						"with --storage-key-file and a file that contains this key", id)
			}
		}
		return nil
	})
}

// keepsUnder reports whether a storage key wraps any key of a stream or an item.
func (tx *Tx) keepsUnder(id string) (used bool, err error) {
	head, err := cipher.HeadOf(id)
	if err != nil {
		return false, err
	}
	return sqlrow.Cell[bool](tx.row(`SELECT
		EXISTS (SELECT 1 FROM stream WHERE length(key) <> 32 AND substr(key, 1, 9) = $1)
		OR EXISTS (SELECT 1 FROM data_key WHERE length(key) <> 32 AND substr(key, 1, 9) = $1)
		OR EXISTS (SELECT 1 FROM segment WHERE length(key) <> 32 AND substr(key, 1, 9) = $1)
		OR EXISTS (SELECT 1 FROM segment WHERE length(values_key) <> 32 AND substr(values_key, 1, 9) = $1)`, head))
}

func (tx *Tx) notedStorageKeys(read func(string) ([]byte, error)) ([]string, error) {
	value, err := read(storageKeys)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return strings.Fields(string(value)), err
}

// without returns the elements of list that are not in others.
func without(list, others []string) (rest []string) {
	for _, one := range list {
		if !slices.Contains(others, one) {
			rest = append(rest, one)
		}
	}
	return rest
}

// rewrapped is the number of items per transaction.
const rewrapped = 200

// Rewrap wraps all keys that are unwrapped, or wrapped with another storage key, with the first one, and returns their
// number. Servers may keep running. Invalid without a storage key; Unavailable if one is missing; Conflict if a running
// server lacks the first one. It can be repeated.
func (s *Store) Rewrap(ctx context.Context) (n int64, err error) {
	if s.keys == nil {
		return 0, fault.New(fault.Invalid, fault.CodeParameter,
			"no storage key; specify a file with --storage-key-file")
	}
	if err := s.noteStorageKeys(ctx, nil); err != nil {
		return 0, err
	}
	for last := media.ID(""); ; {
		var ids []media.ID
		var done int64
		err := s.Update(ctx, func(tx *Tx) (err error) {
			if err := tx.lockStorageKeys(); err != nil {
				return err
			}
			if err := tx.refuseRewrapping(s.keys.IDs()[0]); err != nil {
				return err
			}
			if ids, err = tx.itemsAfter(last); err != nil || len(ids) == 0 {
				return err
			}
			done, err = tx.rewrap(last, ids[len(ids)-1])
			return err
		})
		if err != nil {
			return n, err
		}
		if len(ids) == 0 {
			break
		}
		n, last = n+done, ids[len(ids)-1]
	}
	err = s.Update(ctx, func(tx *Tx) error {
		if err := tx.lockStorageKeys(); err != nil {
			return err
		}
		for _, column := range []string{"key", "values_key"} {
			done, err := tx.rewrapSegments(column)
			if n += done; err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// rewrapSegments wraps the keys of the segments' files in a column.
func (tx *Tx) rewrapSegments(column string) (n int64, err error) {
	rows := tx.query(`SELECT id, `+column+` FROM segment
		WHERE `+column+` IS NOT NULL AND substr(`+column+`, 1, 9) <> $1`, tx.keys.Head())
	all, err := sqlrow.All(rows, func(row sqlrow.Row) (k storedKey, err error) {
		err = row.Scan(&k.name, &k.kept)
		return k, err
	})
	return tx.wrapAgain(all, err, func(k storedKey, now []byte) error {
		return tx.exec(`UPDATE segment SET `+column+` = $2 WHERE id = $1`, k.name, now)
	})
}

// wrapAgain wraps keys that were read with the first storage key, and puts them in place of the stored ones.
func (tx *Tx) wrapAgain(all []storedKey, err error, put func(k storedKey, now []byte) error) (n int64, _ error) {
	for _, k := range all {
		key, err := tx.keys.Unwrap(k.kept)
		if err != nil {
			return n, err
		}
		if err := put(k, tx.keys.Wrap(key)); err != nil {
			return n, err
		}
		n++
	}
	return n, err
}

func (tx *Tx) itemsAfter(last media.ID) ([]media.ID, error) {
	return sqlrow.All(tx.query(`SELECT id FROM media WHERE id > $1 ORDER BY id LIMIT $2`, last, rewrapped),
		sqlrow.Cell[media.ID])
}

// storedKey is a stored key: of a stream, or of the item if the stream's name is empty.
type storedKey struct {
	media media.ID
	name  string
	kept  []byte
}

// rewrap wraps the keys of the items after one id and up to another.
func (tx *Tx) rewrap(after, upTo media.ID) (n int64, err error) {
	rows := tx.query(`SELECT media, name, key FROM stream
		WHERE media > $1 AND media <= $2 AND key IS NOT NULL AND substr(key, 1, 9) <> $3
		UNION ALL SELECT media, '', key FROM data_key WHERE media > $1 AND media <= $2 AND substr(key, 1, 9) <> $3`,
		after, upTo, tx.keys.Head())
	all, err := sqlrow.All(rows, func(row sqlrow.Row) (k storedKey, err error) {
		err = row.Scan(&k.media, &k.name, &k.kept)
		return k, err
	})
	return tx.wrapAgain(all, err, tx.exchangeKey)
}

// exchangeKey replaces a key in its row, if it is unchanged.
func (tx *Tx) exchangeKey(k storedKey, now []byte) error {
	if k.name == "" {
		return tx.exec(`UPDATE data_key SET key = $3 WHERE media = $1 AND key = $2`, k.media, k.kept, now)
	}
	return tx.exec(`UPDATE stream SET key = $4 WHERE media = $1 AND name = $2 AND key = $3`, k.media, k.name, k.kept, now)
}
