package wire

import (
	"strconv"

	"parley/internal/words/media"
)

// Changes is the answer of GET /v3/media/changes.
type Changes struct {
	Links  Links    `json:"_links"`
	Cursor string   `json:"cursor"`
	Media  []Change `json:"media"`
	More   bool     `json:"more"`
	Reload bool     `json:"reload,omitempty"` // changes are forgotten: the list has to be read again
}

// Change is a recording that has changed, as in a list; a deleted one has its id alone.
type Change struct {
	*Summary
	MediaID media.ID `json:"mediaId"`
	Deleted bool     `json:"deleted,omitempty"`
}

// NewChange returns a recording as it is now; m is nil if it is deleted.
func NewChange(id media.ID, m *media.Media) Change {
	if m == nil {
		return Change{MediaID: id, Deleted: true}
	}
	return Change{Summary: new(newEntry(m)), MediaID: id}
}

// NewChanges returns a page of changes and the cursor of the next page.
func NewChanges(cursor int64, changes []Change, more, reload bool) Changes {
	return Changes{self("media", "changes"), strconv.FormatInt(cursor, 10), changes, more, reload}
}
