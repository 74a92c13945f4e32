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

// Secret is what deliveries of an account are signed with, as Standard Webhooks (standardwebhooks.com) has it.
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

// Text is the secret as receivers' libraries read it.
func (s Secret) Text() string { return "whsec_" + base64.StdEncoding.EncodeToString(s.Key) }

// Signer signs one message with all secrets of an account, so that a receiver may use the old one or the new one while
// they are exchanged. It is a writer: the body goes through it.
type Signer struct{ macs []hash.Hash }

// NewSigner begins to sign the message of an id and a time.
func NewSigner(secrets []Secret, id string, at time.Time) *Signer {
	s := &Signer{}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret.Key)
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		s.macs = append(s.macs, mac)
	}
	return s
}

// Write takes the next part of the body.
func (s *Signer) Write(p []byte) (int, error) {
	for _, mac := range s.macs {
		mac.Write(p)
	}
	return len(p), nil
}

// Signatures returns the value of the header webhook-signature: one signature a secret, spaces between.
func (s *Signer) Signatures() string {
	list := make([]string, len(s.macs))
	for i, mac := range s.macs {
		list[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(list, " ")
}
