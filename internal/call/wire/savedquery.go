package wire

import (
	"encoding/json"
	"net/url"

	"parley/internal/call/definition"
)

// SavedQuery is a saved query: a statement, a condition, words, or a view of all calls.
type SavedQuery struct {
	Links        Links           `json:"_links"`
	Name         string          `json:"queryName"`
	Description  string          `json:"queryDescription,omitempty"`
	Query        string          `json:"query,omitempty"`
	Where        string          `json:"where,omitempty"`
	Words        string          `json:"words,omitempty"`
	View         json.RawMessage `json:"view,omitempty"` // as sent
	DateCreated  Time            `json:"dateCreated"`
	DateModified Time            `json:"dateModified"`
}

// NewSavedQuery returns the representation of a saved query; d has its dates.
func NewSavedQuery(q definition.Query, d definition.Definition) SavedQuery {
	return SavedQuery{
		Links: self("analytics", "queries", url.PathEscape(q.Name)), Name: q.Name, Description: q.Description,
		Query: q.Query, Where: q.Where, Words: q.Words, View: json.RawMessage(q.View),
		DateCreated: Time{d.Created}, DateModified: Time{d.Modified},
	}
}

// SavedQueries is the list of all saved queries of an account.
type SavedQueries struct {
	Links   Links        `json:"_links"`
	Queries []SavedQuery `json:"queries"`
}

// NewSavedQueries returns the list of saved queries.
func NewSavedQueries(all ...SavedQuery) SavedQueries {
	return SavedQueries{self("analytics", "queries"), append([]SavedQuery{}, all...)}
}
