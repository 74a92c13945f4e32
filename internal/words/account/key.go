package account

import (
	"bytes"
	"strings"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/storable"
)

// MaxKeyBytes bounds a request for a key; maxDescription bounds its description. Both are in bytes.
const (
	MaxKeyBytes    = 64 << 10
	maxDescription = 1000
)

// farthest is the longest lifetime that can be requested for a key. Permanent keys have no expiry.
const farthest = 100 * 365 * 24 * time.Hour

// keyShape lists the properties of a request for a key.
var keyShape = jsondoc.Fields(
	jsondoc.Field{Name: "description", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "expirationDate", Shape: jsondoc.Text().Coded(fault.CodeKeyExpirationPast)},
	jsondoc.Field{Name: "ttlMillis", Shape: jsondoc.Whole().Coded(fault.CodeKeyTTL)},
	jsondoc.Field{Name: "ephemeral", Shape: jsondoc.Flag()},
	jsondoc.Field{Name: "scope", Shape: jsondoc.Text().Coded(fault.CodeKeyScope)},
)

// ParseKey parses a request to create a key with another key (the maker): {description?, expirationDate?
// ttlMillis?, ephemeral?, scope?}. Omitted properties default to the maker's: a key has no scope that its maker lacks
// and does not outlive it. The error lists all problems, with codes 70000 to 70008. Its kind is Forbidden if the only
// problems are that the maker's scopes or lifetime do not suffice, else Invalid.
func ParseKey(sent []byte, now time.Time, maker Token) (Token, error) {
	root, err := keyBody(sent)
	if err != nil {
		return Token{}, err
	}
	r := keyReader{root: root, now: now, maker: maker}
	r.problems = jsondoc.Check(root, keyShape, jsondoc.Codes{
		Type: fault.CodeKey, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	})
	if len(r.problems) > 0 {
		return Token{}, fault.All(fault.Invalid, r.problems)
	}
	t := Token{Account: maker.Account, Description: r.description(), Scopes: r.scopes(), Expires: r.expires(),
		Ephemeral: root.Get("ephemeral").Bool()}
	if t.Ephemeral && !r.limited {
		r.refuse(root, fault.CodeKeyEphemeral, "an ephemeral key needs an expiry; set expirationDate or ttlMillis")
	}
	if err := fault.All(fault.Invalid, r.problems); err != nil {
		return Token{}, err
	}
	return t, fault.All(fault.Forbidden, r.beyond)
}

func keyBody(sent []byte) (*jsondoc.Value, error) {
	const remedy = `send an object such as {"description":"dialler","scope":"media:read media:write"}, or {} for a ` +
		`key like the one you use`
	if text := bytes.TrimSpace(sent); len(text) == 0 || string(text) == "null" {
		return nil, fault.New(fault.Invalid, fault.CodeKey, "the body is empty; "+remedy)
	}
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: MaxKeyBytes, Depth: 8, Values: 100})
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeKey, "the request for a key is invalid JSON: %w", err)
	}
	if root.Kind() != jsondoc.Object {
		return nil, fault.New(fault.Invalid, fault.CodeKey, "the request for a key is %s; "+remedy, root.Kind())
	}
	return root, nil
}

type keyReader struct {
	root     *jsondoc.Value
	now      time.Time
	maker    Token
	limited  bool            // an expiry was requested
	problems []fault.Problem // invalid properties
	beyond   []fault.Problem // requested rights that the maker lacks
}

func (r *keyReader) refuse(v *jsondoc.Value, code int, format string, args ...any) {
	r.problems = append(r.problems, jsondoc.At(v, code, format, args...))
}

func (r *keyReader) description() string {
	v := r.root.Get("description")
	if n := len(v.Text()); n > maxDescription {
		r.refuse(v, fault.CodeKey, "has %d bytes; the maximum is %d", n, maxDescription)
	}
	if !storable.Text(v.Text()) {
		r.refuse(v, fault.CodeKey, "contains the character U+0000, which is not allowed; remove it")
	}
	return v.Text()
}

func (r *keyReader) scopes() Scopes {
	v := r.root.Get("scope")
	if strings.Trim(v.Text(), " ,") == "" {
		return r.maker.Scopes
	}
	scopes, err := ParseScopes(v.Text())
	if err != nil {
		r.refuse(v, fault.CodeKeyScope, "%s", err)
	}
	for _, s := range scopes {
		if !r.maker.Scopes.Has(s) {
			r.beyond = append(r.beyond, jsondoc.At(v, fault.CodeKeyScope,
				"%q is not a scope of the key that you use, which has %q", s, r.maker.Scopes))
		}
	}
	if r.maker.Scopes.Has(Definitions) && scopes.ChoosesContents() && !r.maker.Scopes.ChoosesContents() {
		r.beyond = append(r.beyond, jsondoc.At(v, fault.CodeKeyScope,
			"%q without %q may save definitions that inspect recordings, which the key that you use may not; "+
				"request both scopes or neither, or use a key that also has %q",
			Definitions, Analytics, MediaRead))
	}
	return scopes
}

// expires returns when the key expires, zero for never.
func (r *keyReader) expires() time.Time {
	date, ttl := r.root.Get("expirationDate"), r.root.Get("ttlMillis")
	at := r.date(date)
	switch {
	case !at.IsZero() && ttl != nil:
		r.refuse(r.root, fault.CodeKeyBoth, "has both expirationDate and ttlMillis; set only one of them")
		return time.Time{}
	case ttl != nil:
		return r.within(ttl, fault.CodeKeyTTLFar, r.life(ttl))
	case at.IsZero():
		return r.maker.Expires
	}
	return r.within(date, fault.CodeKeyExpirationFar, at)
}

// date reads expirationDate. Public clients send the first instant of year 1 for a date that was not set.
func (r *keyReader) date(v *jsondoc.Value) time.Time {
	text := strings.TrimSpace(v.Text())
	if text == "" {
		return time.Time{}
	}
	at, ok := parseInstant(text)
	switch {
	case !ok:
		r.refuse(v, fault.CodeKeyExpirationPast, "%q is not a time; use ISO 8601 such as 2030-11-20T07:15:02Z", text)
	case !at.IsZero() && !at.After(r.now):
		r.refuse(v, fault.CodeKeyExpirationPast, "%s is not in the future", text)
	}
	return at
}

func parseInstant(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700",
		"2006-01-02T15:04:05.999999999", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC().Truncate(time.Microsecond), true
		}
	}
	return time.Time{}, false
}

func (r *keyReader) life(v *jsondoc.Value) time.Time {
	ms, _ := v.Int()
	if ms <= 0 {
		r.refuse(v, fault.CodeKeyTTL, "%d is not a time to live; use milliseconds above 0", ms)
	}
	return r.now.Add(time.Duration(min(max(ms, 0), farthest.Milliseconds()+1)) * time.Millisecond).UTC().Truncate(
		time.Microsecond)
}

// within checks that an expiry is neither too far away nor after the maker's own.
func (r *keyReader) within(v *jsondoc.Value, code int, at time.Time) time.Time {
	r.limited = true
	switch end := r.maker.Expires; {
	case at.After(r.now.Add(farthest)):
		r.refuse(v, code, "is more than 100 years away; omit it for a key that does not expire")
	case !end.IsZero() && at.After(end):
		r.beyond = append(r.beyond, jsondoc.At(v, code, "is too late; the key that you use expires at %s",
			end.Format(time.RFC3339)))
	}
	return at
}
