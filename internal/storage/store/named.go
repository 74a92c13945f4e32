package store

import (
	"parley/internal/storage/sqlrow"
)

// NamedBlobs returns which of the given blobs are named by streams or segments of any account. Pass at most about a
// thousand keys.
func (tx *Tx) NamedBlobs(keys []string) (map[string]bool, error) {
	named := map[string]bool{}
	if len(keys) == 0 {
		return named, nil
	}
	in, args := placeholders(keys, nil)
	found, err := sqlrow.All(tx.query(`SELECT blob FROM stream WHERE blob IN (`+in+`)
		UNION SELECT blob FROM segment WHERE blob IN (`+in+`)
		UNION SELECT values_blob FROM segment WHERE values_blob <> '' AND values_blob IN (`+in+`)`, args...), sqlrow.Cell[string])
	for _, key := range found {
		named[key] = true
	}
	return named, err
}
