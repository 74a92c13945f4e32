package cipher

import (
	"bytes"
	stdcipher "crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// Ring holds an operator's storage keys, which wrap data keys: the first one wraps, all unwrap. The nil Ring stores
// data keys unwrapped.
type Ring struct{ keys []storageKey }

type storageKey struct {
	id   string // idBytes of a hash of it
	aead stdcipher.AEAD
}

// A wrapped key is a marker byte, the id of its storage key, a nonce, and the sealed key (AES-256-GCM; the bytes before
// the nonce are authenticated data). It is longer than an unwrapped key, which distinguishes the two.
const (
	wrappedMark  = 1
	idBytes      = 8
	headBytes    = 1 + idBytes
	nonceBytes   = 12
	wrappedBytes = headBytes + nonceBytes + KeyBytes + 16
)

// NewStorageKey returns a new storage key as a line of a key file, without the line feed.
func NewStorageKey() string {
	return base64.StdEncoding.EncodeToString([]byte(NewKey()))
}

// ParseRing parses a key file: one key per line, 32 bytes in base64; empty lines and lines that begin with # are
// skipped. The error is of kind Invalid and names the line, but does not repeat its content.
func ParseRing(file []byte) (*Ring, error) {
	r := &Ring{}
	for i, line := range bytes.Split(file, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(string(line))
		if err != nil || len(key) != KeyBytes {
			return nil, badRing("line %d is not a key: 32 bytes in base64, as written by parley storage-key make",
				i+1)
		}
		k := newStorageKey(key)
		if r.find(k.id) != nil {
			return nil, badRing("line %d repeats a key; remove it", i+1)
		}
		r.keys = append(r.keys, k)
	}
	if len(r.keys) == 0 {
		return nil, badRing("the file has no key; create one with parley storage-key make")
	}
	return r, nil
}

func badRing(form string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodeParameter, form, args...)
}

func newStorageKey(key []byte) storageKey {
	sum := sha256.Sum256(append([]byte("parley storage key "), key...))
	return storageKey{string(sum[:idBytes]), Key(key).gcm()}
}

// IDs returns the ids of the keys, 16 hexadecimal digits each, the wrapping key first.
func (r *Ring) IDs() []string {
	if r == nil {
		return nil
	}
	return list.Map(r.keys, func(k storageKey) string { return hex.EncodeToString([]byte(k.id)) })
}

func (r *Ring) find(id string) *storageKey {
	if r == nil {
		return nil
	}
	for i := range r.keys {
		if r.keys[i].id == id {
			return &r.keys[i]
		}
	}
	return nil
}

// Head returns the prefix of all keys that the ring wraps now; nil without a storage key.
func (r *Ring) Head() []byte {
	if r == nil {
		return nil
	}
	return append([]byte{wrappedMark}, r.keys[0].id...)
}

// HeadID returns the id of the storage key in the prefix of a wrapped key.
func HeadID(head []byte) string { return hex.EncodeToString(head[1:]) }

// HeadOf is the inverse of HeadID. The error is of kind Internal if the id is malformed.
func HeadOf(id string) ([]byte, error) {
	bytes, err := hex.DecodeString(id)
	if err != nil || len(bytes) != idBytes {
		return nil, fault.New(fault.Internal, fault.CodeInternal, "%q is not the id of a storage key", id)
	}
	return append([]byte{wrappedMark}, bytes...), nil
}

// Wrap returns the stored form of a data key; nil for the empty one.
func (r *Ring) Wrap(k Key) []byte {
	if k == "" {
		return nil
	}
	if r == nil {
		return []byte(k)
	}
	head := r.Head()
	return r.keys[0].aead.Seal(head, nil, []byte(k), head)
}

// Unwrap is the inverse of Wrap. The error is of kind Unavailable if the storage key is not in the ring, which may be
// temporary, and Internal if the wrapped key is corrupt.
func (r *Ring) Unwrap(kept []byte) (Key, error) {
	switch {
	case len(kept) == 0 || len(kept) == KeyBytes:
		return Key(kept), nil
	case len(kept) != wrappedBytes || kept[0] != wrappedMark:
		return "", fault.New(fault.Internal, fault.CodeInternal, "a key in the database is damaged: it has %d bytes",
			len(kept))
	}
	head := kept[:headBytes]
	with := r.find(string(head[1:]))
	if with == nil {
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable,
			"a key in the database is wrapped with storage key %s, which this server does not have; start it with "+
				"a --storage-key-file that contains that key", HeadID(head))
	}
	plain, err := with.aead.Open(nil, nil, kept[headBytes:], head)
	if err != nil {
		return "", fault.New(fault.Internal, fault.CodeInternal, "a key in the database is damaged: %w", err)
	}
	return Key(plain), nil
}
