// Package account has the words for who may do what: accounts, tokens and scopes.
//
// It does not store or check tokens on requests; packages store and auth do.
package account

import (
	"slices"
	"strings"
	"time"

	"parley/internal/words/fault"
)

// ID identifies an account.
type ID string

// DefaultName is the name of the account that the first start makes.
const DefaultName = "default"

// Account owns media, definitions and tokens; nothing crosses accounts.
type Account struct {
	ID       ID
	Name     string
	Created  time.Time
	Disabled bool
	Limits   Limits

	Compatibility Compatibility
}

// Compatibility is how answers to an account differ from what is documented, for clients that need it.
type Compatibility struct {
	ScoreAsNumber bool // spotting.groups[].score is a number, not a string
}

// Limits are what an account may use where that differs from what the operator lets all have: nil is as the
// operator has it, 0 no limit.
type Limits struct {
	Storage *int64 // bytes of its streams
	Rate    *int64 // requests a second
}

// Scope is a permission of a token.
type Scope string

// The scopes. Admin includes what concerns all accounts (queue, accounts), not the other scopes.
const (
	MediaRead   Scope = "media:read"
	MediaWrite  Scope = "media:write"
	Definitions Scope = "definitions"
	Keys        Scope = "keys"
	Analytics   Scope = "analytics"
	Admin       Scope = "admin"
)

// AllScopes lists every scope in the documented order.
var AllScopes = Scopes{MediaRead, MediaWrite, Definitions, Keys, Analytics, Admin}

// Scopes is a set of scopes.
type Scopes []Scope

// Has reports whether the set contains s.
func (ss Scopes) Has(s Scope) bool { return slices.Contains(ss, s) }

// ChoosesContents reports whether a key with these scopes may save definitions that look at the contents of recordings.
// Those who see figures without the contents may not: what such definitions hold for would spell out the contents.
func (ss Scopes) ChoosesContents() bool {
	return ss.Has(Definitions) && (ss.Has(MediaRead) || !ss.Has(Analytics))
}

// String joins the scopes with spaces, the form of the wire and of the database.
func (ss Scopes) String() string {
	names := make([]string, len(ss))
	for i, s := range ss {
		names[i] = string(s)
	}
	return strings.Join(names, " ")
}

// ParseScopes reads scopes separated by spaces or commas. The empty text means all scopes.
func ParseScopes(text string) (Scopes, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	if len(fields) == 0 {
		return AllScopes, nil
	}
	var scopes Scopes
	for _, f := range fields {
		s := Scope(strings.ToLower(f))
		if !AllScopes.Has(s) {
			return nil, fault.New(fault.Invalid, fault.CodeAccount, "unknown scope %q; use some of: %s", f, AllScopes)
		}
		if !scopes.Has(s) {
			scopes = append(scopes, s)
		}
	}
	return scopes, nil
}

// Token is a bearer token as it is kept: never the secret itself, only its SHA-256.
type Token struct {
	ID          string
	Account     ID
	Description string
	LastSix     string // the last six characters of the secret, to recognise it by
	Scopes      Scopes
	Issued      time.Time
	Expires     time.Time // zero: never
	LastUsed    time.Time // zero: never used
	Ephemeral   bool      // forgotten when it expires
}

// Expired reports whether the token is no longer valid at the given time.
func (t Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }
