package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strconv"
	"time"

	"parley/internal/account"
	"parley/internal/fault"
	"parley/internal/media"
)

// StreamTTL is how long a signed stream URL works.
const StreamTTL = 15 * time.Minute

// Grant is what a signed URL allows: reading one stream until a time.
type Grant struct {
	Account account.ID
	Media   media.ID
	Stream  string
	Expires time.Time // whole seconds
}

// Signer signs and checks stream URLs with HMAC-SHA256. Keys are shared by all nodes; the first signs,
// all are accepted, so that keys can be rotated.
type Signer struct {
	Keys [][]byte
}

// Sign returns the query parameters that carry the grant: account, expires (Unix seconds), signature.
func (s Signer) Sign(g Grant) url.Values {
	return url.Values{
		"account":   {string(g.Account)},
		"expires":   {strconv.FormatInt(g.Expires.Unix(), 10)},
		"signature": {base64.RawURLEncoding.EncodeToString(mac(s.Keys[0], g))},
	}
}

// Signed reports whether a query carries a signature, right or wrong.
func Signed(query url.Values) bool { return query.Has("signature") }

// Check returns the grant of a query for a stream, or an error when it is forged or has expired.
func (s Signer) Check(query url.Values, id media.ID, stream string, now time.Time) (Grant, error) {
	expires, err := strconv.ParseInt(query.Get("expires"), 10, 64)
	g := Grant{Account: account.ID(query.Get("account")), Media: id, Stream: stream, Expires: time.Unix(expires, 0)}
	given, err2 := base64.RawURLEncoding.DecodeString(query.Get("signature"))
	if err != nil || err2 != nil || !s.made(g, given) {
		return Grant{}, fault.New(fault.Forbidden, fault.CodeSignature, "the signature of this URL is wrong; ask for the stream list again")
	}
	if !now.Before(g.Expires) {
		return Grant{}, fault.New(fault.Forbidden, fault.CodeSignature, "this URL expired at %s; ask for the stream list again", g.Expires.UTC().Format(time.RFC3339))
	}
	return g, nil
}

func (s Signer) made(g Grant, given []byte) bool {
	for _, key := range s.Keys {
		if hmac.Equal(mac(key, g), given) {
			return true
		}
	}
	return false
}

// mac covers every field with its length in front, so that no two grants have the same message.
func mac(key []byte, g Grant) []byte {
	h := hmac.New(sha256.New, key)
	for _, field := range []string{string(g.Account), string(g.Media), g.Stream} {
		binary.Write(h, binary.BigEndian, uint32(len(field)))
		h.Write([]byte(field))
	}
	binary.Write(h, binary.BigEndian, g.Expires.Unix())
	return h.Sum(nil)
}
