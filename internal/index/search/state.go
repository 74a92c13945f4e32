package search

import (
	"encoding/json"
	"errors"

	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// format is the version of everything that is written to a generation, the folding of words included. Another one makes
// the program build a new generation.
const format = 1

// State says which generations there are. It is a setting of the database, so that whoever reads recordings and state
// in one transaction knows what the index has of these recordings: all that do not wait as store.Change, or, of a
// generation that is being built, those of them from Cursor on.
type State struct {
	Format  int      `json:"format"`
	Current string   `json:"current,omitempty"` // the complete generation; empty for none
	Next    string   `json:"next,omitempty"`    // the one that is being built; empty for none
	Cursor  media.ID `json:"cursor,omitempty"`  // Next has everything that is not older; empty: nothing yet
	Done    int64    `json:"done,omitempty"`    // how many recordings were put into Next
	Total   int64    `json:"total,omitempty"`   // how many there were when it was begun
	Asked   string   `json:"asked,omitempty"`   // the last request to rebuild that was taken up
}

// Names of settings.
const (
	stateSetting   = "search-index"
	requestSetting = "search-rebuild" // names a request; a new name is a new request
)

// loadState reads the state; of another format nothing can be used.
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

// use returns the generation that queries read, empty for none, and the oldest recording that it is sure to have.
func (s State) use() (name string, horizon media.ID) {
	switch {
	case s.Current != "":
		return s.Current, ""
	case s.Next != "" && s.Cursor != "":
		return s.Next, s.Cursor
	}
	return "", ""
}

// names are the generations that are there.
func (s State) names() (names []string) {
	for _, n := range []string{s.Current, s.Next} {
		if n != "" {
			names = append(names, n)
		}
	}
	return names
}
