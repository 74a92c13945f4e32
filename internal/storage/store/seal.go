package store

import (
	"encoding/base64"
	"slices"
	"strings"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// dataKey returns the data key that encrypts an item's sensitive data; empty if the item is not to be sealed, or is
// sealed already.
func (tx *Tx) dataKey(id media.ID) (cipher.Key, error) {
	key, err := one(tx.row(`SELECT `+dataKeyOf("media.id")+` FROM media WHERE id = $1`, id), sqlrow.Cell[[]byte],
		noMedia(id))
	if err != nil {
		return "", err
	}
	return tx.keys.Unwrap(key)
}

// dataKeyOf is an SQL expression for the stored data key of the item that media names; NULL if there is none.
func dataKeyOf(media string) string {
	return `(SELECT key FROM data_key WHERE data_key.media = ` + media + `)`
}

// putDataKey stores a data key, if there is one.
func (tx *Tx) putDataKey(id media.ID, key cipher.Key) error {
	if key == "" {
		return nil
	}
	return tx.exec(`INSERT INTO data_key (media, key) VALUES ($1, $2)`, id, tx.keys.Wrap(key))
}

// cover encrypts texts for storage with an item.
func (tx *Tx) cover(id media.ID, texts ...[]byte) ([][]byte, error) {
	key, err := tx.dataKey(id)
	if err != nil {
		return nil, err
	}
	return list.Map(texts, func(text []byte) []byte { return bytes(key.Seal(text)) }), nil
}

// coverText encrypts a text for a text column of an item.
func coverText(k cipher.Key, text string) string {
	if k == "" || text == "" {
		return text
	}
	return base64.StdEncoding.EncodeToString(k.Seal([]byte(text)))
}

// uncoverText is the inverse of coverText.
func uncoverText(k cipher.Key, kept string) (string, error) {
	if k == "" || kept == "" {
		return kept, nil
	}
	sealed, err := base64.StdEncoding.DecodeString(kept)
	if err != nil {
		return "", fault.New(fault.Internal, fault.CodeInternal, "a text encrypted with a data key is corrupt: %w",
			err)
	}
	text, err := k.Unseal(sealed)
	return string(text), err
}

// encodeSealing returns the column value.
func encodeSealing(s *media.Sealing) string {
	if s == nil {
		return ""
	}
	return s.PublicKeyID + " " + s.PublicKeyHash
}

func decodeSealing(text string) *media.Sealing {
	id, hash, ok := strings.Cut(text, " ")
	if !ok {
		return nil
	}
	return &media.Sealing{PublicKeyID: id, PublicKeyHash: hash}
}

// Seal ends the period in which the server can read an item: it keeps only the document, an OpenPGP message, and
// destroys the data key. It returns the blob keys of streams that are not encrypted, which the item does not own any
// more.
func (tx *Tx) Seal(id media.ID, document []byte) (blobs []string, err error) {
	if err := tx.exec(`INSERT INTO sealed (media, document) VALUES ($1, $2)
		ON CONFLICT (media) DO UPDATE SET document = excluded.document`, id, document); err != nil {
		return nil, err
	}
	blobs, err = tx.deleteStreams(id, func(s media.Stream) bool { return !sealedStream(s.Name) })
	if err != nil {
		return nil, err
	}
	tables := []string{"artifact", "result", "media_request", "reprocessing", "media_field", "data_key"}
	if err := tx.deleteFrom(tables, `media = $1`, id); err != nil {
		return nil, err
	}
	return blobs, tx.setMedia(id, `metadata = $2, external_id = NULL, source_url = '', sha256 = '', searchable = 0`,
		[]byte{})
}

// sealedStream reports whether a stream is kept when its item is sealed.
func sealedStream(name string) bool { return slices.Contains(media.Encrypted, name) }

// Sealed returns the document of an account's sealed item; NotFound for other items.
func (tx *Tx) Sealed(a account.ID, id media.ID) (document []byte, err error) {
	read, err := tx.ahead(`SELECT LENGTH(document) FROM sealed WHERE media = $1`, id)
	if err != nil {
		return nil, err
	}
	defer read()
	return one(tx.row(`SELECT sealed.document FROM sealed JOIN media ON media.id = sealed.media
		WHERE sealed.media = $1 AND media.account = $2`, id, a), sqlrow.Cell[[]byte],
		fault.New(fault.NotFound, fault.CodeNotFound, "media %s is not sealed", id))
}

// PutDeliveryBody stores the body of a delivery of a sealed item.
func (tx *Tx) PutDeliveryBody(m media.ID, delivery string, body []byte) error {
	return tx.exec(`INSERT INTO delivery_body (delivery, media, body) VALUES ($1, $2, $3)`, delivery, m, body)
}

// DeliveryBody returns the stored body of a delivery; NotFound if there is none.
func (tx *Tx) DeliveryBody(delivery string) (body []byte, err error) {
	return one(tx.row(`SELECT body FROM delivery_body WHERE delivery = $1`, delivery), sqlrow.Cell[[]byte],
		fault.New(fault.NotFound, fault.CodeNotFound, "the delivery has no stored body"))
}

// PublicKey is a customer's public key to encrypt with.
type PublicKey struct {
	ID      string
	Content []byte // as received
}

// AddPublicKey stores a key of an account.
func (tx *Tx) AddPublicKey(a account.ID, k PublicKey) error {
	if err := tx.keepAccount(a); err != nil {
		return err
	}
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO public_key (id, account, content, created) VALUES ($1, $2, $3, $4)`, k.ID, a,
		k.Content, micros(now))
}

// PublicKeys returns the ids of an account's keys, oldest first.
func (tx *Tx) PublicKeys(a account.ID) ([]string, error) {
	return sqlrow.All(tx.query(`SELECT id FROM public_key WHERE account = $1 ORDER BY created, id`, a),
		sqlrow.Cell[string])
}

// PublicKey returns a key of an account.
func (tx *Tx) PublicKey(a account.ID, id string) (PublicKey, error) {
	k := PublicKey{ID: id}
	err := tx.row(`SELECT content FROM public_key WHERE id = $1 AND account = $2`, id, a).Scan(&k.Content)
	return found(k, err, noPublicKey(id))
}

// DropPublicKey removes a key of an account. Items accepted with it keep a copy.
func (tx *Tx) DropPublicKey(a account.ID, id string) error {
	return tx.changed(noPublicKey(id), `DELETE FROM public_key WHERE id = $1 AND account = $2`, id, a)
}

func noPublicKey(id string) error {
	return fault.New(fault.NotFound, fault.CodeNotFound, "no public key with id %q", id)
}
