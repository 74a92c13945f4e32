package store

import (
	"slices"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// scanBare reads a stream without its key.
func scanBare(row sqlrow.Row) (media.Stream, error) {
	var s media.Stream
	err := row.Scan(&s.Name, &s.Blob, &s.ContentType, &s.Size, &s.Withheld, &s.Source, &s.Unplayable)
	return s, err
}

const bareColumns = `stream.name, stream.blob, stream.content_type, stream.size, stream.withheld, stream.source,
	stream.unplayable`

func (tx *Tx) scanStream(row sqlrow.Row) (media.Stream, error) {
	var kept, over []byte
	s, err := scanBare(widerRow{row, []any{&kept, &over}})
	if err != nil {
		return s, err
	}
	cover, err := tx.keys.Unwrap(over)
	if err == nil {
		s.Key, err = tx.keys.Unwrap(kept)
	}
	s.Key = maskOf(cover, s)
	return s, err
}

var streamColumns = bareColumns + `, stream.key, ` + dataKeyOf("stream.media")

// maskOf masks the key of a stream with the data key of its item for storage, and unmasks a stored key. The stream key
// thus becomes useless when the data key is destroyed, whatever is left of the row. The keys of streams that stay when
// the item is sealed are not masked.
func maskOf(data cipher.Key, s media.Stream) cipher.Key {
	if data == "" || s.Key == "" || sealedStream(s.Name) {
		return s.Key
	}
	return data.Mask(s.Blob, s.Key)
}

// PutStream stores a stream of a media item and replaces one of the same name. It returns the blob key of the replaced
// stream, if it differs, for the caller to delete.
func (tx *Tx) PutStream(id media.ID, s media.Stream) (old string, err error) {
	before, err := tx.blobs(`media = $1 AND name = $2 AND blob <> $3`, id, s.Name, s.Blob)
	if err != nil {
		return "", err
	}
	had, err := tx.streamBytes(`media = $1 AND name = $2`, id, s.Name)
	if err != nil {
		return "", err
	}
	if err := tx.addStorage(id, s.Size-had); err != nil {
		return "", err
	}
	cover, err := tx.dataKey(id)
	if err != nil {
		return "", err
	}
	err = tx.exec(`INSERT INTO stream (media, name, blob, content_type, size, withheld, key, source, unplayable)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (media, name) DO UPDATE SET blob = excluded.blob, content_type = excluded.content_type, size = excluded.size,
			withheld = excluded.withheld, key = excluded.key, source = excluded.source, unplayable = excluded.unplayable`,
		id, s.Name, s.Blob, s.ContentType, s.Size, flag(s.Withheld), tx.keys.Wrap(maskOf(cover, s)), s.Source,
		flag(s.Unplayable))
	if len(before) > 0 {
		old = before[0]
	}
	return old, err
}

// Streams returns the streams of an account's media item by name, except withheld and derived ones. An unknown item has
// none.
func (tx *Tx) Streams(a account.ID, id media.ID) ([]media.Stream, error) {
	all, err := tx.served(a, id)
	return slices.DeleteFunc(all, func(s media.Stream) bool { return media.IsDerived(s.Name) }), err
}

// Sound returns what a player may use of an account's media item: the recording that is played, and what was derived from
// it, by name. NotFound if the item has no recording that may be served. What was derived from a recording that has been
// replaced is left out.
func (tx *Tx) Sound(a account.ID, id media.ID) (heard media.Stream, derived map[string]media.Stream, err error) {
	all, err := tx.served(a, id)
	if err != nil {
		return heard, nil, err
	}
	heard, ok := media.Heard(all)
	if !ok {
		return heard, nil, fault.New(fault.NotFound, fault.CodeNotFound, "media %s has no recording that can be played", id)
	}
	derived = map[string]media.Stream{}
	for _, s := range all {
		if media.IsDerived(s.Name) && s.Source == heard.Blob {
			derived[s.Name] = s
		}
	}
	return heard, derived, nil
}

// PutDerived stores what was derived from the recording with the blob s.Source, provided that an account's item still has
// that recording and may serve it, and that the item is not going to be sealed. Otherwise it returns Conflict.
func (tx *Tx) PutDerived(a account.ID, id media.ID, s media.Stream) (old string, err error) {
	m, err := tx.LockMedia(a, id)
	if err != nil {
		return "", err
	}
	heard, _, err := tx.Sound(a, id)
	if err != nil {
		return "", err
	}
	if heard.Blob != s.Source || m.Sealing != nil {
		return "", fault.New(fault.Conflict, fault.CodeConflict, "the recording of media %s has changed", id)
	}
	return tx.PutStream(id, s)
}

// DropStale removes what was derived from recordings that an item does not play any more. It returns the blob keys.
func (tx *Tx) DropStale(id media.ID) (blobs []string, err error) {
	all, err := tx.Kept(id)
	if err != nil {
		return nil, err
	}
	heard, _ := media.Heard(all)
	return tx.deleteStreams(id, func(s media.Stream) bool { return media.IsDerived(s.Name) && s.Source != heard.Blob })
}

// served returns the streams of an account's media item by name, except withheld ones.
func (tx *Tx) served(a account.ID, id media.ID) ([]media.Stream, error) {
	return sqlrow.All(tx.query(`SELECT `+streamColumns+` FROM stream JOIN media ON media.id = stream.media
		WHERE stream.media = $2 AND media.account = $1 AND stream.withheld = 0 ORDER BY stream.name`, a, id),
		tx.scanStream)
}

// Stream returns one stream of an account's media item; NotFound if it is withheld.
func (tx *Tx) Stream(a account.ID, id media.ID, name string) (media.Stream, error) {
	return one(tx.row(`SELECT `+streamColumns+` FROM stream JOIN media ON media.id = stream.media
		WHERE stream.media = $2 AND media.account = $1 AND stream.name = $3 AND stream.withheld = 0`, a, id, name),
		tx.scanStream, fault.New(fault.NotFound, fault.CodeNotFound, "media %s has no stream %q", id, name))
}

// DeleteStream removes a stream and returns the key of its blob, "" if there was none.
func (tx *Tx) DeleteStream(id media.ID, name string) (blob string, err error) {
	blobs, err := tx.blobs(`media = $1 AND name = $2`, id, name)
	if err != nil || len(blobs) == 0 {
		return "", err
	}
	had, err := tx.streamBytes(`media = $1 AND name = $2`, id, name)
	if err != nil {
		return "", err
	}
	if err := tx.addStorage(id, -had); err != nil {
		return "", err
	}
	err = tx.exec(`DELETE FROM stream WHERE media = $1 AND name = $2`, id, name)
	return blobs[0], err
}

// deleteStreams removes the streams of an item that match, and returns the keys of their blobs.
func (tx *Tx) deleteStreams(id media.ID, match func(media.Stream) bool) (blobs []string, err error) {
	streams, err := tx.Kept(id)
	if err != nil {
		return nil, err
	}
	for _, s := range streams {
		if !match(s) {
			continue
		}
		blob, err := tx.DeleteStream(id, s.Name)
		if err != nil {
			return nil, err
		}
		blobs = append(blobs, blob)
	}
	return blobs, nil
}

// EachStream calls f for every stream of all accounts, in order of media and name, until f fails. It omits their keys.
// The transaction stays open meanwhile, so use it only for copies of a database or with fast functions.
func (tx *Tx) EachStream(f func(media.Stream) error) error {
	for row := range tx.query(`SELECT ` + bareColumns + ` FROM stream ORDER BY media, name`).Each {
		s, err := scanBare(row)
		if err == nil {
			err = f(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// StreamTotals returns the number of streams of all accounts and their total size in bytes.
func (tx *Tx) StreamTotals() (streams int, bytes int64, err error) {
	err = tx.row(`SELECT COUNT(*), COALESCE(CAST(SUM(size) AS BIGINT), 0) FROM stream`).Scan(&streams, &bytes)
	return streams, bytes, err
}

// blobs returns the blob keys of the streams that match a condition.
func (tx *Tx) blobs(where string, args ...any) ([]string, error) {
	return sqlrow.All(tx.query(`SELECT blob FROM stream WHERE `+where+` ORDER BY media, name`, args...),
		sqlrow.Cell[string])
}
