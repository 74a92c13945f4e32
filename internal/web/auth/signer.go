package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strconv"
	"time"

	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// StreamTTL is how long a signed stream URL is valid.
const StreamTTL = 15 * time.Minute

// Grant is the permission in a signed URL: to read one stream until a time.
type Grant struct {
	Account account.ID
	Media   media.ID
	Stream  string
	Expires time.Time // whole seconds
}

// Sign returns the query parameters that carry a grant: account, expires (Unix seconds), signature.
func (ks Keys) Sign(g Grant, now time.Time) url.Values {
	return url.Values{
		"account":   {string(g.Account)},
		"expires":   {strconv.FormatInt(g.Expires.Unix(), 10)},
		"signature": {signature(ks.current(now).Secret, g)},
	}
}

// Signed reports whether a query has a signature, valid or not.
func Signed(query url.Values) bool { return query.Has("signature") }

// Check returns the grant of a query for a stream, or an error of kind Forbidden if it is forged or has expired. Every
// bit of account, media, stream, expiry and signature is checked: each has exactly one valid encoding.
func (ks Keys) Check(query url.Values, id media.ID, stream string, now time.Time) (Grant, error) {
	text := query.Get("expires")
	expires, err := strconv.ParseInt(text, 10, 64)
	g := Grant{Account: account.ID(query.Get("account")), Media: id, Stream: stream, Expires: time.Unix(expires, 0)}
	if err != nil || text != strconv.FormatInt(expires, 10) || !ks.made(g, query.Get("signature"), now) {
		return Grant{}, errForged
	}
	if !now.Before(g.Expires) {
		return Grant{}, fault.New(fault.Forbidden, fault.CodeSignature,
			"this URL expired at %s; request the stream list again", g.Expires.UTC().Format(time.RFC3339))
	}
	return g, nil
}

var errForged = fault.New(fault.Forbidden, fault.CodeSignature,
	"the signature of this URL is invalid; request the stream list again")

// made reports whether one of the keys valid at a time made a signature. It compares the encoded texts, not the decoded
// bytes: several base64 texts can decode to the same bytes.
func (ks Keys) made(g Grant, given string, now time.Time) bool {
	for i, key := range ks {
		if !ks.retired(i, now) && hmac.Equal([]byte(signature(key.Secret, g)), []byte(given)) {
			return true
		}
	}
	return false
}

func signature(key []byte, g Grant) string { return base64.RawURLEncoding.EncodeToString(mac(key, g)) }

// mac prefixes each field with its length, so that no two grants have the same message.
func mac(key []byte, g Grant) []byte {
	h := hmac.New(sha256.New, key)
	for _, field := range []string{string(g.Account), string(g.Media), g.Stream} {
		binary.Write(h, binary.BigEndian, uint32(len(field)))
		h.Write([]byte(field))
	}
	binary.Write(h, binary.BigEndian, g.Expires.Unix())
	return h.Sum(nil)
}
