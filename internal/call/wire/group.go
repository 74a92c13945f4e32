package wire

import "net/url"

// Group is a saved keyword group.
type Group struct {
	Links    Links    `json:"_links"`
	Name     string   `json:"groupName"`
	Keywords []string `json:"keywords"`
}

// NewGroup returns the representation of a keyword group.
func NewGroup(name string, keywords []string) Group {
	return Group{Links: self("definition", "spotting", "groups", url.PathEscape(name)), Name: name,
		Keywords: append([]string{}, keywords...)}
}

// Groups is the list of all keyword groups of an account.
type Groups struct {
	Links  Links   `json:"_links"`
	Groups []Group `json:"groups"`
}

// NewGroups returns the list of keyword groups.
func NewGroups(all ...Group) Groups {
	return Groups{Links: self("definition", "spotting", "groups"), Groups: append([]Group{}, all...)}
}
