// Package account defines who may do what: accounts, tokens and scopes.
//
// It does not store or check tokens on requests; packages store and auth do.
package account

import (
	"slices"
	"strings"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// ID identifies an account.
type ID string

// DefaultName is the name of the account that is created at the first start.
const DefaultName = "default"

// Account owns media, definitions and tokens. No account sees what another one owns.
type Account struct {
	ID       ID
	Name     string
	Created  time.Time
	Disabled bool
	Limits   Limits

	Compatibility Compatibility
}

// Compatibility selects deviations from the documented responses, for clients that need them.
type Compatibility struct {
	ScoreAsNumber bool // spotting.groups[].score is a number, not a string
}

// Limits override the operator's limits for one account: nil means the operator's limit, 0 means no limit.
type Limits struct {
	Storage *int64 // bytes of its stored streams
	Rate    *int64 // requests per second
}

// Scope is a permission of a token.
type Scope string

// The scopes. Admin covers what concerns all accounts (queue, accounts); it does not include the other scopes.
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

// ChoosesContents reports whether a key with these scopes may save definitions that inspect the contents of recordings.
// Clients that may see statistics but not contents must not: the matches of such definitions would reveal the contents.
func (ss Scopes) ChoosesContents() bool {
	return ss.Has(Definitions) && (ss.Has(MediaRead) || !ss.Has(Analytics))
}

// String joins the scopes with spaces, the form used on the wire and in the database.
func (ss Scopes) String() string {
	return strings.Join(list.Map(ss, func(s Scope) string { return string(s) }), " ")
}

// ParseScopes parses scopes separated by spaces or commas. The empty text means all scopes.
func ParseScopes(text string) (Scopes, error) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	if len(fields) == 0 {
		return AllScopes, nil
	}
	var scopes Scopes
	for _, f := range fields {
		s := Scope(strings.ToLower(f))
		if !AllScopes.Has(s) {
			return nil, fault.New(fault.Invalid, fault.CodeAccount, "unknown scope %q; the scopes are: %s", f, AllScopes)
		}
		if !scopes.Has(s) {
			scopes = append(scopes, s)
		}
	}
	return scopes, nil
}

// Token is a bearer token as it is stored: never the secret itself, only its SHA-256.
type Token struct {
	ID          string
	Account     ID
	Description string
	LastSix     string // last six characters of the secret, to recognise it by
	Scopes      Scopes
	Issued      time.Time
	Expires     time.Time // zero: never
	LastUsed    time.Time // zero: never used
	Ephemeral   bool      // deleted when it expires
}

// Expired reports whether the token is no longer valid at the given time.
func (t Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }
