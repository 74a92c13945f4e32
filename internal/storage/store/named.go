package store

import (
	"fmt"
	"strings"
)

// NamedBlobs returns which of the given blobs are named by streams of any account. Pass at most about a thousand keys.
func (tx *Tx) NamedBlobs(keys []string) (map[string]bool, error) {
	named := map[string]bool{}
	if len(keys) == 0 {
		return named, nil
	}
	places, args := make([]string, len(keys)), make([]any, len(keys))
	for i, key := range keys {
		places[i], args[i] = fmt.Sprintf("$%d", i+1), key
	}
	rows, err := tx.query(`SELECT blob FROM stream WHERE blob IN (`+strings.Join(places, ", ")+`)`, args...)
	found, err := collect(rows, err, func(row scanner) (key string, err error) { return key, row.Scan(&key) })
	for _, key := range found {
		named[key] = true
	}
	return named, err
}
