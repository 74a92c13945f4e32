package store

import (
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// StreamRow is a stream with the item it belongs to.
type StreamRow struct {
	Account account.ID
	Media   media.ID
	media.Stream
}

// StreamsAfter returns up to limit streams of all accounts after the given one, ordered by item and name, without their
// keys.
func (tx *Tx) StreamsAfter(id media.ID, name string, limit int) ([]StreamRow, error) {
	rows := tx.query(`SELECT `+bareColumns+
		`, media.account, stream.media FROM stream JOIN media ON media.id = stream.media
		WHERE stream.media > $1 OR stream.media = $1 AND stream.name > $2
		ORDER BY stream.media, stream.name LIMIT $3`, id, name, limit)
	return sqlrow.All(rows, func(row sqlrow.Row) (r StreamRow, err error) {
		r.Stream, err = scanBare(widerRow{row, []any{&r.Account, &r.Media}})
		return r, err
	})
}

// LoseStream removes a stream whose bytes are gone from its item and adds a warning. It returns false if the item has
// no such stream with this blob any more.
func (tx *Tx) LoseStream(r StreamRow) (lost bool, err error) {
	m, err := tx.lockMedia(r.Media)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	same, err := tx.blobs(`media = $1 AND name = $2 AND blob = $3`, r.Media, r.Name, r.Blob)
	if err != nil || len(same) == 0 {
		return false, err
	}
	if _, err := tx.DeleteStream(r.Media, r.Name); err != nil {
		return false, err
	}
	return true, tx.SetWarnings(r.Media, append(m.Warnings, fault.Problem{
		Code: fault.CodeNotFound, Message: "stream " + r.Name + " is lost: the storage has no content for it",
	}))
}
