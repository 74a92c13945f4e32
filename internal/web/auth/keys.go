package auth

import (
	"crypto/rand"
	"encoding/json"
	"time"

	"parley/internal/words/fault"
)

// Lifetimes of the keys for signed URLs.
const (
	// KeyLead is how long a new key is published before it signs, so that every node has read it by then.
	KeyLead = time.Minute
	// KeyRefresh is the maximum age of a node's copy of the keys.
	KeyRefresh = 30 * time.Second
	// KeyLife is the age at which a key is replaced.
	KeyLife = 30 * 24 * time.Hour
)

// Key is a key for signed URLs.
type Key struct {
	Secret []byte    `json:"secret"` // 256 bits
	From   time.Time `json:"from"`   // when it begins to sign
}

// Keys are the HMAC-SHA256 keys of signed stream URLs, in the order in which they start to sign. All nodes share them.
// The newest key whose time has come signs; a replaced key stays valid until the last URL that it signed has expired.
type Keys []Key

// NewKeys returns one fresh key, which signs immediately. Older keys are no longer valid.
func NewKeys(now time.Time) Keys { return Keys{{Secret: newKey(), From: now.UTC()}} }

func newKey() []byte {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return secret
}

// current returns the key that signs at a time.
func (ks Keys) current(now time.Time) Key {
	last := ks[0]
	for _, k := range ks[1:] {
		if !now.Before(k.From) {
			last = k
		}
	}
	return last
}

// retired reports whether every URL signed by the key at i has expired. A node with an old copy may have signed with it
// for KeyRefresh after the time of the next key.
func (ks Keys) retired(i int, now time.Time) bool {
	return i+1 < len(ks) && !now.Before(ks[i+1].From.Add(StreamTTL+KeyRefresh))
}

// Due reports whether the newest key is older than KeyLife.
func (ks Keys) Due(now time.Time) bool { return now.Sub(ks[len(ks)-1].From) > KeyLife }

// Rotated returns the keys with a new one, which signs after KeyLead, and without retired ones.
func (ks Keys) Rotated(now time.Time) Keys {
	var kept Keys
	for i, k := range ks {
		if !ks.retired(i, now) {
			kept = append(kept, k)
		}
	}
	return append(kept, Key{Secret: newKey(), From: now.Add(KeyLead).UTC()})
}

// Encode encodes keys for storage.
func (ks Keys) Encode() []byte {
	data, err := json.Marshal(ks)
	if err != nil {
		panic(err) // bytes and times always encode
	}
	return data
}

// DecodeKeys decodes the output of Encode.
func DecodeKeys(data []byte) (Keys, error) {
	var ks Keys
	if err := json.Unmarshal(data, &ks); err != nil || len(ks) == 0 {
		return nil, fault.New(fault.Internal, fault.CodeInternal, "the stored keys of signed URLs are corrupt")
	}
	return ks, nil
}
