package delivery

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"strconv"
	"strings"
	"time"
)

// Secret is a key for signing the deliveries of an account, as specified by Standard Webhooks (standardwebhooks.com).
type Secret struct {
	ID      string
	Key     []byte
	Created time.Time
}

const secretBytes = 32

// NewSecret returns random key bytes.
func NewSecret() []byte {
	key := make([]byte, secretBytes)
	rand.Read(key) // never fails
	return key
}

// Text returns the secret in the format that the libraries of receivers expect.
func (s Secret) Text() string { return "whsec_" + base64.StdEncoding.EncodeToString(s.Key) }

// Signer signs one message with all secrets of an account, so that a receiver can use the old or the new one during a
// rotation. The body of the message is written to it.
type Signer struct{ macs []hash.Hash }

// NewSigner starts the signatures of a message with this id and time.
func NewSigner(secrets []Secret, id string, at time.Time) *Signer {
	s := &Signer{}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret.Key)
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		s.macs = append(s.macs, mac)
	}
	return s
}

// Write adds the next part of the body.
func (s *Signer) Write(p []byte) (int, error) {
	for _, mac := range s.macs {
		mac.Write(p)
	}
	return len(p), nil
}

// Signatures returns the value of the header webhook-signature: one signature per secret, separated by spaces.
func (s *Signer) Signatures() string {
	list := make([]string, len(s.macs))
	for i, mac := range s.macs {
		list[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(list, " ")
}
