package store

import (
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Result is the result of processing a media item, as package record encodes it.
type Result struct {
	Version    int    // of the encoding
	Transcript []byte // the words before formatting, which reprocessing starts from; empty: as in Result
	Result     []byte
}

// PutResult publishes a result in place of the previous one, if any.
func (tx *Tx) PutResult(id media.ID, r Result) error {
	return tx.exec(`INSERT INTO result (media, version, transcript, result) VALUES ($1, $2, $3, $4)
		ON CONFLICT (media) DO UPDATE SET version = excluded.version, transcript = excluded.transcript, result = excluded.result`,
		id, r.Version, bytes(r.Transcript), bytes(r.Result))
}

// Result returns the published result of an account's media item; NotFound with code 10301 if there is none or the item
// does not exist.
func (tx *Tx) Result(a account.ID, id media.ID) (Result, error) {
	var r Result
	read, err := tx.ahead(`SELECT LENGTH(transcript) + LENGTH(result) FROM result WHERE media = $1`, id)
	if err != nil {
		return r, err
	}
	defer read()
	err = tx.row(`SELECT result.version, result.transcript, result.result FROM result
		JOIN media ON media.id = result.media WHERE result.media = $2 AND media.account = $1`, a, id).
		Scan(&r.Version, &r.Transcript, &r.Result)
	return found(r, err, noResult(id))
}

func noResult(id media.ID) error {
	return fault.New(fault.NotFound, fault.CodeNotFinished, "media %s has no result yet", id)
}

// ResultRevision returns a number that differs for each result of an account's item and each change of it; 0 if it has
// none.
func (tx *Tx) ResultRevision(a account.ID, id media.ID) (revision int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COALESCE(MAX(change), 0) FROM analytic WHERE media = $1 AND account = $2`, id, a))
}

// Published is Result without the words before formatting.
func (tx *Tx) Published(a account.ID, id media.ID) (result []byte, err error) {
	read, err := tx.ahead(`SELECT LENGTH(result) FROM result WHERE media = $1`, id)
	if err != nil {
		return nil, err
	}
	defer read()
	return one(tx.row(`SELECT result.result FROM result JOIN media ON media.id = result.media
		WHERE result.media = $2 AND media.account = $1`, a, id), sqlrow.Cell[[]byte], noResult(id))
}
