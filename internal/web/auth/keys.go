package auth

import (
	"crypto/rand"
	"encoding/json"
	"time"

	"parley/internal/words/fault"
)

// Times of keys of signed URLs.
const (
	// KeyLead is how long a new key is known before it signs: every node has read it by then.
	KeyLead = time.Minute
	// KeyRefresh is how old the keys are at most with which a node signs and checks.
	KeyRefresh = 30 * time.Second
	// KeyLife is after what time a key is replaced.
	KeyLife = 30 * 24 * time.Hour
)

// Key is a key of signed URLs.
type Key struct {
	Secret []byte    `json:"secret"` // 256 bits
	From   time.Time `json:"from"`   // when it begins to sign
}

// Keys are the keys of signed stream URLs, HMAC-SHA256, in the order in which they sign. All nodes share them.
// The newest one whose time has come signs; one that was replaced counts until the last URL that it signed
// has expired.
type Keys []Key

// NewKeys returns one fresh key, which signs at once. Beside it no older key counts.
func NewKeys(now time.Time) Keys { return Keys{{Secret: newKey(), From: now.UTC()}} }

func newKey() []byte {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return secret
}

// current returns the key that signs.
func (ks Keys) current(now time.Time) Key {
	last := ks[0]
	for _, k := range ks[1:] {
		if !now.Before(k.From) {
			last = k
		}
	}
	return last
}

// retired reports whether all that the key at i has signed has expired. A node with old keys may have signed
// with it for KeyRefresh after the next key's time.
func (ks Keys) retired(i int, now time.Time) bool {
	return i+1 < len(ks) && !now.Before(ks[i+1].From.Add(StreamTTL+KeyRefresh))
}

// Due reports whether the newest key is older than KeyLife.
func (ks Keys) Due(now time.Time) bool { return now.Sub(ks[len(ks)-1].From) > KeyLife }

// Rotated returns the keys with a fresh one, which signs after KeyLead, and without those that are retired.
func (ks Keys) Rotated(now time.Time) Keys {
	var kept Keys
	for i, k := range ks {
		if !ks.retired(i, now) {
			kept = append(kept, k)
		}
	}
	return append(kept, Key{Secret: newKey(), From: now.Add(KeyLead).UTC()})
}

// Encode writes keys as they are stored.
func (ks Keys) Encode() []byte {
	data, err := json.Marshal(ks)
	if err != nil {
		panic(err) // bytes and times always encode
	}
	return data
}

// DecodeKeys reads what Encode wrote.
func DecodeKeys(data []byte) (Keys, error) {
	var ks Keys
	if err := json.Unmarshal(data, &ks); err != nil || len(ks) == 0 {
		return nil, fault.New(fault.Internal, fault.CodeInternal, "the stored keys of signed URLs cannot be read")
	}
	return ks, nil
}
