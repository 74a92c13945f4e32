package store

import (
	"slices"
	"time"

	"parley/internal/storage/job"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// mediaTables are the other tables with rows of a media item.
var mediaTables = []string{"media_request", "reprocessing", "stream", "artifact", "result", "progress", "idempotency",
	"media_field", "analytic", "delivery", "delivery_try", "delivery_body", "sealed", "data_key"}

var mediaColumns = `id, account, status, created, finished, length, content_type, size, sha256, source_url,
	metadata, priority, time_to_live, expires, problems, warnings, sealing, ` + dataKeyOf("media.id")

func (tx *Tx) scanMedia(row sqlrow.Row) (media.Media, error) {
	var m media.Media
	var metadata, problems, warnings, kept []byte
	var sealing string
	err := row.Scan(&m.ID, &m.Account, &m.Status, instant{&m.Created}, instant{&m.Finished}, duration{&m.Length},
		&m.ContentType, &m.Size, &m.SHA256, &m.SourceURL, &metadata, &m.Priority, duration{&m.TimeToLive},
		instant{&m.Expires}, &problems, &warnings, &sealing, &kept)
	if err != nil {
		return m, err
	}
	key, err := tx.keys.Unwrap(kept)
	if err != nil {
		return m, err
	}
	if metadata, err = key.Unseal(metadata); err != nil {
		return m, err
	}
	if m.SourceURL, err = uncoverText(key, m.SourceURL); err != nil {
		return m, err
	}
	m.Sealing = decodeSealing(sealing)
	m.Sealed = m.Sealing != nil && kept == nil
	m.Metadata = media.StoredMetadata(metadata)
	if m.Problems, err = decodeProblems(problems); err != nil {
		return m, err
	}
	m.Warnings, err = decodeProblems(warnings)
	return m, err
}

func noMedia(id media.ID) error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "no media with id %q", string(id))
}

// InsertMedia stores a new item with its configuration and the transcript supplied with it, if any. It assigns an ID if
// that is empty; Created is always the time encoded in the id, so that ids sort by creation. It returns the stored
// item. NotFound if the account does not exist (any more).
func (tx *Tx) InsertMedia(m media.Media, configuration, given []byte) (media.Media, error) {
	if m.ID == "" {
		id, err := media.NewID()
		if err != nil {
			return m, err
		}
		m.ID = id
	}
	m.Created = m.ID.Created()
	if m.Created.IsZero() {
		return m, fault.New(fault.Internal, fault.CodeInternal, "media id %q is not a UUIDv7", string(m.ID))
	}
	problems, err := encodeProblems(m.Problems)
	if err != nil {
		return m, err
	}
	warnings, err := encodeProblems(m.Warnings)
	if err != nil {
		return m, err
	}
	if err := tx.keepAccount(m.Account); err != nil {
		return m, err
	}
	var key cipher.Key
	if m.Sealing != nil {
		key = cipher.NewKey()
	}
	err = tx.exec(`INSERT INTO media (id, account, status, created, finished, length, content_type, size, sha256,
			source_url, metadata, external_id, priority, time_to_live, expires, problems, warnings, sealing)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
		m.ID, m.Account, m.Status, micros(m.Created), micros(m.Finished), m.Length.Microseconds(), m.ContentType,
		m.Size, m.SHA256, coverText(key, m.SourceURL), key.Seal(m.Metadata.Bytes()), externalID(&m), m.Priority,
		m.TimeToLive.Microseconds(), micros(m.Expires), problems, warnings, encodeSealing(m.Sealing))
	if err != nil {
		return m, err
	}
	if err := tx.putDataKey(m.ID, key); err != nil {
		return m, err
	}
	tx.NoteChange(m.Account, m.ID)
	return m, tx.SetRequest(m.ID, configuration, given)
}

// externalID returns the column value: NULL if there is none, and for items to be sealed, which must not be found by
// it.
func externalID(m *media.Media) *string {
	if id := m.Metadata.ExternalID(); id != "" && m.Sealing == nil {
		return &id
	}
	return nil
}

// Media returns an account's item. NotFound also if its time to live has expired.
func (tx *Tx) Media(a account.ID, id media.ID) (media.Media, error) {
	return one(tx.row(`SELECT `+mediaColumns+` FROM media WHERE id = $2 AND account = $1 AND NOT `+
		tx.expired(), a, id), tx.scanMedia, noMedia(id))
}

// MediaByID returns an item of any account, for workers.
func (tx *Tx) MediaByID(id media.ID) (media.Media, error) {
	return one(tx.row(`SELECT `+mediaColumns+` FROM media WHERE id = $1`, id), tx.scanMedia, noMedia(id))
}

// SetRequest replaces the configuration and the supplied transcript.
func (tx *Tx) SetRequest(id media.ID, configuration, given []byte) error {
	kept, err := tx.cover(id, configuration, given)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO media_request (media, configuration, given) VALUES ($1, $2, $3)
		ON CONFLICT (media) DO UPDATE SET configuration = excluded.configuration, given = excluded.given`,
		id, kept[0], kept[1])
}

// Request returns an item's configuration and the transcript supplied with it, empty if there is none.
func (tx *Tx) Request(id media.ID) (configuration, given []byte, err error) {
	read, err := tx.ahead(`SELECT LENGTH(configuration) + LENGTH(given) FROM media_request WHERE media = $1`, id)
	if err != nil {
		return nil, nil, err
	}
	defer read()
	var kept []byte
	err = tx.row(`SELECT configuration, given, `+dataKeyOf("media_request.media")+
		` FROM media_request WHERE media = $1`, id).Scan(&configuration, &given, &kept)
	if _, err = found(0, err, noMedia(id)); err != nil {
		return nil, nil, err
	}
	key, err := tx.keys.Unwrap(kept)
	if err != nil {
		return nil, nil, err
	}
	if configuration, err = key.Unseal(configuration); err != nil {
		return nil, nil, err
	}
	given, err = key.Unseal(given)
	return configuration, given, err
}

// DropGiven deletes the transcript supplied with an item: its words are in the result.
func (tx *Tx) DropGiven(id media.ID) error {
	return tx.exec(`UPDATE media_request SET given = $2 WHERE media = $1`, id, []byte{})
}

// SetStatus changes an item's status from one of the given ones or, if none is given, from any that allows the
// transition. Final states set Finished, and Expires if the item has a time to live; the others clear both and the
// problems. NotFound if there is no such item, Conflict if it is in another status.
func (tx *Tx) SetStatus(id media.ID, to media.Status, from ...media.Status) error {
	m, err := tx.lockMedia(id)
	if err != nil {
		return err
	}
	if len(from) == 0 && !m.Status.CanBecome(to) || len(from) > 0 && !slices.Contains(from, m.Status) {
		return fault.New(fault.Conflict, fault.CodeConflict, "media %s is %s and cannot become %s now", id, m.Status,
			to)
	}
	tx.NoteChange(m.Account, id)
	if !to.Done() {
		return tx.exec(`UPDATE media SET status = $2, finished = 0, expires = 0, problems = $3 WHERE id = $1`, id, to,
			[]byte{})
	}
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE media SET status = $2, finished = $3, expires = $4 WHERE id = $1`, id, to, micros(now),
		micros(expiry(now, m.TimeToLive)))
}

// SetFinished sets when an item was finished. Its time to live starts then.
func (tx *Tx) SetFinished(id media.ID, at time.Time) error {
	m, err := tx.lockMedia(id)
	if err != nil {
		return err
	}
	return tx.setMedia(id, `finished = $2, expires = $3`, micros(at), micros(expiry(at, m.TimeToLive)))
}

// lockMedia reads an item for a change in this transaction.
func (tx *Tx) lockMedia(id media.ID) (media.Media, error) {
	return one(tx.row(`SELECT `+mediaColumns+` FROM media WHERE id = $1`+tx.locking(` FOR UPDATE`), id), tx.scanMedia,
		noMedia(id))
}

// SetLength stores the duration found by decoding.
func (tx *Tx) SetLength(id media.ID, length time.Duration) error {
	return tx.setMedia(id, `length = $2`, length.Microseconds())
}

// SetOriginal stores the properties of a fetched mediaUrl.
func (tx *Tx) SetOriginal(id media.ID, contentType string, size int64, sha256 string) error {
	return tx.setMedia(id, `content_type = $2, size = $3, sha256 = $4`, contentType, size, sha256)
}

// SetTimeToLive stores how long an item is kept after it is done. It updates the expiry of an item that is done.
func (tx *Tx) SetTimeToLive(id media.ID, life time.Duration) error {
	m, err := tx.lockMedia(id)
	if err != nil {
		return err
	}
	tx.NoteChange(m.Account, id)
	var expires time.Time
	if m.Status.Done() {
		expires = expiry(m.Finished, life)
	}
	return tx.setMedia(id, `time_to_live = $2, expires = $3`, life.Microseconds(), micros(expires))
}

// SetProblems stores why an item failed.
func (tx *Tx) SetProblems(id media.ID, problems []fault.Problem) error {
	return tx.setProblems(id, `problems = $2`, problems)
}

// SetWarnings replaces the warnings: what was skipped or approximated.
func (tx *Tx) SetWarnings(id media.ID, warnings []fault.Problem) error {
	return tx.setProblems(id, `warnings = $2`, warnings)
}

func (tx *Tx) setProblems(id media.ID, set string, problems []fault.Problem) error {
	data, err := encodeProblems(problems)
	if err != nil {
		return err
	}
	return tx.setMedia(id, set, data)
}

func (tx *Tx) setMedia(id media.ID, set string, args ...any) error {
	return tx.changed(noMedia(id), `UPDATE media SET `+set+` WHERE id = $1`, append([]any{id}, args...)...)
}

// NextGeneration counts a reprocessing and returns its number: 1 for the first. Generation 0 is the upload.
func (tx *Tx) NextGeneration(id media.ID) (n int64, err error) {
	return one(tx.row(`UPDATE media SET generation = generation + 1 WHERE id = $1 RETURNING generation`, id),
		sqlrow.Cell[int64], noMedia(id))
}

// Generation returns the number of reprocessings of an item.
func (tx *Tx) Generation(id media.ID) (n int64, err error) {
	return one(tx.row(`SELECT generation FROM media WHERE id = $1`, id), sqlrow.Cell[int64], noMedia(id))
}

// DeleteMedia removes an account's item with all its rows, including jobs (the fence stops a running one). It returns
// the keys of its blobs, which the caller deletes, or enqueues a job for in this transaction.
func (tx *Tx) DeleteMedia(a account.ID, id media.ID) (blobs []string, err error) {
	tx.removed = true
	// Jobs first: this waits for running transactions of workers and makes later ones lose their fence, so that none of
	// their rows is left.
	if err := job.DeleteSubject(jobTx{tx}, string(a), string(id)); err != nil {
		return nil, err
	}
	if err := tx.DropAnalytic(a, id); err != nil {
		return nil, err
	}
	had, err := tx.streamBytes(`media = $1`, id)
	if err != nil {
		return nil, err
	}
	if err := tx.addStorage(id, -had); err != nil {
		return nil, err
	}
	if err := tx.changed(noMedia(id), `DELETE FROM media WHERE id = $2 AND account = $1`, a, id); err != nil {
		return nil, err
	}
	tx.note(id, change{account: a, deleted: true})
	if blobs, err = tx.blobs(`media = $1`, id); err != nil {
		return nil, err
	}
	if err := tx.deleteFrom(mediaTables, `media = $1`, id); err != nil {
		return nil, err
	}
	return blobs, tx.ReleaseClassifiers(id)
}

// ExpiredMedia returns up to limit items whose time to live has expired, the longest expired first.
func (tx *Tx) ExpiredMedia(limit int) ([]media.Media, error) {
	return sqlrow.All(tx.query(`SELECT `+mediaColumns+` FROM media WHERE `+tx.expired()+` ORDER BY expires LIMIT $1`,
		limit), tx.scanMedia)
}
