// Package auth issues and checks credentials: bearer tokens and signed URLs.
//
// It stores no rows (package store) and serves no requests (package api).
package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"parley/internal/words/fault"
)

// Prefix starts every token, so that secret scanners recognise leaked ones.
const Prefix = "parley_"

// Secret is a bearer token in plain text; it is shown once and never stored or logged.
type Secret string

// NewSecret returns a random token of 256 bits.
func NewSecret() Secret {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return Secret(Prefix + base64.RawURLEncoding.EncodeToString(b[:]))
}

// Hash returns the SHA-256 that is stored in place of the token. The token has full entropy, so a fast hash suffices.
func (s Secret) Hash() [32]byte { return sha256.Sum256([]byte(s)) }

// LastSix returns the last six characters of the token, which identify it in lists.
func (s Secret) LastSix() string { return string(s[max(len(s)-6, 0):]) }

// String hides the token in logs and formatted output.
func (s Secret) String() string { return "[token]" }

// SignInLink returns the one-time link of a secret, for the pages of the server with a base URL. The secret stands after
// the #, which browsers do not send, so that it reaches no log.
func SignInLink(base string, link Secret) string { return base + "/ui/#/sign-in/" + string(link) }

// Bearer parses the token from an Authorization header.
func Bearer(header string) (Secret, error) {
	if header == "" {
		return "", fault.New(fault.Unauthorized, fault.CodeNoAuthorization,
			"no Authorization header; send \"Authorization: Bearer <token>\"")
	}
	scheme, token, _ := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", fault.New(fault.Unauthorized, fault.CodeInvalidToken,
			"malformed Authorization header; send \"Authorization: Bearer <token>\"")
	}
	return Secret(token), nil
}
