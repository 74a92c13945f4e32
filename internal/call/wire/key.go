package wire

import (
	"time"

	"parley/internal/words/account"
	"parley/internal/words/list"
)

// Key is an API key as shown to its account.
type Key struct {
	Links          Links  `json:"_links"`
	ID             string `json:"id"`
	BearerToken    string `json:"bearerToken,omitempty"` // only in the answer that creates it
	LastSix        string `json:"lastSix"`
	Issued         Time   `json:"issued"`
	ExpirationDate Time   `json:"expirationDate,omitzero"`
	Expired        bool   `json:"expired"`
	Ephemeral      bool   `json:"ephemeral,omitempty"`
	Scope          string `json:"scope"` // separated by spaces
	Description    string `json:"description,omitempty"`
	LastUsed       Time   `json:"lastUsed,omitzero"`
}

// NewKey returns the representation of a key at the given time.
func NewKey(t account.Token, now time.Time) Key {
	return Key{
		Links: self("profile", "keys", t.ID), ID: t.ID, LastSix: t.LastSix, Issued: Time{t.Issued},
		ExpirationDate: Time{t.Expires}, Expired: t.Expired(now), Ephemeral: t.Ephemeral,
		Scope: t.Scopes.String(), Description: t.Description, LastUsed: Time{t.LastUsed},
	}
}

// Keys is the list of the keys of an account.
type Keys struct {
	Links Links `json:"_links"`
	Keys  []Key `json:"keys"`
}

// NewKeys returns the list of keys at the given time.
func NewKeys(all []account.Token, now time.Time) Keys {
	return Keys{self("profile", "keys"), list.Map(all, func(t account.Token) Key { return NewKey(t, now) })}
}
