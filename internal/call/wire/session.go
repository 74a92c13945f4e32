package wire

import (
	"parley/internal/words/account"
	"parley/internal/words/list"
)

// Session is the session of a browser as shown to its account.
type Session struct {
	Links               Links  `json:"_links"`
	SessionID           string `json:"sessionId"`
	KeyID               string `json:"keyId"`
	Description         string `json:"description,omitempty"` // of the key
	Scope               string `json:"scope"`                 // of the key, separated by spaces
	Issued              Time   `json:"issued"`
	LastUsed            Time   `json:"lastUsed"`
	ExpirationDate      Time   `json:"expirationDate"`
	FinalExpirationDate Time   `json:"finalExpirationDate"`
	Current             bool   `json:"current"` // it sent the request
}

// Sessions is the list of the sessions of an account.
type Sessions struct {
	Links    Links     `json:"_links"`
	Sessions []Session `json:"sessions"`
}

// NewSessions returns the list of sessions; current is the id of the one that asks, empty if none does.
func NewSessions(all []account.Session, current string) Sessions {
	return Sessions{self("profile", "sessions"), list.Map(all, func(s account.Session) Session {
		links := self("profile", "sessions", s.ID)
		links["key"] = Link{Href("profile", "keys", s.Token.ID)}
		return Session{
			Links: links, SessionID: s.ID, KeyID: s.Token.ID, Description: s.Token.Description,
			Scope: s.Token.Scopes.String(), Issued: Time{s.Created}, LastUsed: Time{s.LastUsed},
			ExpirationDate: Time{s.End()}, FinalExpirationDate: Time{s.FinalEnd()}, Current: s.ID == current,
		}
	})}
}

// SignedIn tells pages who has signed in, what their key may do, and what the server offers.
type SignedIn struct {
	SessionID           string          `json:"sessionId"`
	Account             SignedInAccount `json:"account"`
	Key                 SignedInKey     `json:"key"`
	Scopes              []string        `json:"scopes"`
	MissingScopes       []string        `json:"missingScopes"`
	Issued              Time            `json:"issued"`
	ExpirationDate      Time            `json:"expirationDate"`
	FinalExpirationDate Time            `json:"finalExpirationDate"`
	Server              ServerAbout     `json:"server"`
}

// SignedInAccount is the account of a session.
type SignedInAccount struct {
	AccountID account.ID `json:"accountId"`
	Name      string     `json:"name"`
}

// SignedInKey is the key of a session.
type SignedInKey struct {
	KeyID          string `json:"keyId"`
	Description    string `json:"description,omitempty"`
	LastSix        string `json:"lastSix"`
	ExpirationDate Time   `json:"expirationDate,omitzero"`
}

// ServerAbout is what pages need to know about the server.
type ServerAbout struct {
	Version        string   `json:"version"`
	MaxUploadBytes int64    `json:"maxUploadBytes,omitempty"`
	Engines        []Engine `json:"engines"` // in order of preference
}

// Engine is a model of speech recognition.
type Engine struct {
	Engine    string   `json:"engine"`
	Model     string   `json:"model"`
	Languages []string `json:"languages"`
}

// NewSignedIn returns the description of a session.
func NewSignedIn(owner account.Account, s account.Session, server ServerAbout) SignedIn {
	has, lacks := []string{}, []string{}
	for _, scope := range account.AllScopes {
		if s.Token.Scopes.Has(scope) {
			has = append(has, string(scope))
		} else {
			lacks = append(lacks, string(scope))
		}
	}
	return SignedIn{
		SessionID: s.ID, Account: SignedInAccount{owner.ID, owner.Name},
		Key: SignedInKey{KeyID: s.Token.ID, Description: s.Token.Description, LastSix: s.Token.LastSix,
			ExpirationDate: Time{s.Token.Expires}},
		Scopes: has, MissingScopes: lacks, Issued: Time{s.Created}, ExpirationDate: Time{s.End()},
		FinalExpirationDate: Time{s.FinalEnd()}, Server: server,
	}
}
