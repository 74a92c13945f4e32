package search

import (
	"encoding/json"
	"errors"

	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// format is the version of everything written to a generation, including the folding of words. If it differs, the
// program builds a new generation.
const format = 1

// State describes the existing generations. It is a setting in the database, so that a transaction that reads
// recordings and state knows which recordings the index has: all without a pending store.Change or, for a generation
// under construction, those of them from Cursor on.
type State struct {
	Format  int      `json:"format"`
	Current string   `json:"current,omitempty"` // the complete generation; empty for none
	Next    string   `json:"next,omitempty"`    // the one under construction; empty for none
	Cursor  media.ID `json:"cursor,omitempty"`  // Next has all recordings that are not older; empty: none yet
	Done    int64    `json:"done,omitempty"`    // number of recordings added to Next
	Total   int64    `json:"total,omitempty"`   // number of recordings when Next was begun
	Asked   string   `json:"asked,omitempty"`   // the last handled request to rebuild
}

// Names of settings.
const (
	stateSetting   = "search-index"
	requestSetting = "search-rebuild" // identifies a request; a new value is a new request
)

// loadState reads the state; for another format it returns a state without generations.
func loadState(tx *store.Tx) (State, error) {
	var s State
	data, err := tx.Setting(stateSetting)
	if fault.Is(err, fault.NotFound) {
		return State{Format: format}, nil
	}
	if err != nil {
		return s, err
	}
	if json.Unmarshal(data, &s) != nil || s.Format != format {
		return State{Format: format, Asked: s.Asked}, nil
	}
	return s, nil
}

func saveState(tx *store.Tx, s State) error {
	data, err := json.Marshal(s)
	return errors.Join(err, tx.SetSetting(stateSetting, data))
}

// use returns the generation for queries, empty for none, and the oldest recording that it is guaranteed to have.
func (s State) use() (name string, horizon media.ID) {
	switch {
	case s.Current != "":
		return s.Current, ""
	case s.Next != "" && s.Cursor != "":
		return s.Next, s.Cursor
	}
	return "", ""
}

// names returns the existing generations.
func (s State) names() (names []string) {
	for _, n := range []string{s.Current, s.Next} {
		if n != "" {
			names = append(names, n)
		}
	}
	return names
}
