package store

import (
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Metadata returns the metadata of an account's item, nil if it has none, and its version, which rises with each change
// and serves as the entity tag.
func (tx *Tx) Metadata(a account.ID, id media.ID) (m *media.Metadata, version int64, err error) {
	item, err := tx.Media(a, id)
	if err != nil {
		return nil, 0, err
	}
	if item.Sealed {
		return nil, 0, fault.New(fault.NotFound, fault.CodeSealed,
			"the metadata of media %s is sealed with its results; read it with GET /v3/media/%s/encrypted", id, id)
	}
	err = tx.row(`SELECT metadata_version FROM media WHERE id = $1`, id).Scan(&version)
	return item.Metadata, version, err
}

// SetMetadata replaces the metadata of an account's item and its index rows, and returns the new version. Conflict with
// code 95014 if expected is neither 0 nor the current version.
func (tx *Tx) SetMetadata(a account.ID, id media.ID, m *media.Metadata, expected int64) (version int64, err error) {
	item, err := tx.LockMedia(a, id) // prevents sealing until the change is committed
	if err != nil {
		return 0, err
	}
	if item.Sealed {
		return 0, fault.New(fault.NotFound, fault.CodeSealed,
			"the metadata of media %s is sealed with its results and cannot be changed", id)
	}
	touch := tx.TouchValues
	if m.Title() != item.Metadata.Title() || m.Description() != item.Metadata.Description() {
		touch = tx.TouchAnalytic // these are words of the index of calls
	}
	item.Metadata = m
	kept, err := tx.cover(id, m.Bytes())
	if err != nil {
		return 0, err
	}
	var paths []byte
	err = tx.row(`UPDATE media SET metadata = $3, external_id = $4, metadata_version = metadata_version + 1
		WHERE id = $2 AND account = $1 AND ($5 = 0 OR metadata_version = $5) RETURNING metadata_version, search_fields`,
		a, id, kept[0], externalID(&item), expected).Scan(&version, &paths)
	version, err = found(version, err, noMedia(id))
	if err == nil {
		if err := touch(a, id); err != nil {
			return 0, err
		}
		tx.NoteChange(a, id)
		return version, tx.indexFields(&item, splitPaths(paths))
	}
	if !fault.Is(err, fault.NotFound) || expected == 0 {
		return 0, err
	}
	if _, present, e := tx.Metadata(a, id); e == nil {
		err = fault.New(fault.Conflict, fault.CodePrecondition,
			"the metadata has changed (version %d, If-Match requires %d); read it again", present, expected)
	}
	return 0, err
}
