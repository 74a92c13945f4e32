package wire

import (
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// PublicKey is the answer for an uploaded public key.
type PublicKey struct {
	Links         Links  `json:"_links"`
	PublicKeyID   string `json:"publicKeyId"`
	PublicKeyHash string `json:"publicKeyHash"` // SHA-256 of the key as uploaded, hex
}

// NewPublicKey returns the answer about a public key.
func NewPublicKey(id, hash string) PublicKey { return PublicKey{ofPublicKey(id), id, hash} }

// PublicKeys is the list of the public keys of an account.
type PublicKeys struct {
	Links Links          `json:"_links"`
	Keys  []PublicKeyRef `json:"keys"`
}

// PublicKeyRef is a link to a public key.
type PublicKeyRef struct {
	Links Links `json:"_links"`
}

// NewPublicKeys returns the list of public keys with the given ids.
func NewPublicKeys(ids []string) PublicKeys {
	return PublicKeys{self("security", "public-keys"),
		list.Map(ids, func(id string) PublicKeyRef { return PublicKeyRef{ofPublicKey(id)} })}
}

func ofPublicKey(id string) Links { return self("security", "public-keys", id) }

// Encryption names the public key of an encrypted item. The id is given under both names that clients use.
type Encryption struct {
	PublicKeyID   string `json:"publicKeyId"`
	PublishKeyID  string `json:"publishKeyId"`
	PublicKeyHash string `json:"publicKeyHash"`
}

func newEncryption(s *media.Sealing) *Encryption {
	if s == nil {
		return nil
	}
	return &Encryption{s.PublicKeyID, s.PublicKeyID, s.PublicKeyHash}
}
