package wire

import (
	"encoding/json"
	"net/url"

	"parley/internal/call/definition"
	"parley/internal/words/list"
)

// Dashboard is a saved dashboard, or one that is built in, which has no dates.
type Dashboard struct {
	Links        Links  `json:"_links"`
	Name         string `json:"dashboardName"`
	Title        string `json:"title,omitempty"`
	Description  string `json:"dashboardDescription,omitempty"`
	BuiltIn      bool   `json:"builtin,omitempty"`
	Tiles        []Tile `json:"tiles"`
	DateCreated  Time   `json:"dateCreated,omitzero"`
	DateModified Time   `json:"dateModified,omitzero"`
}

// Tile is a statement with the way to show its answer.
type Tile struct {
	Title     string           `json:"title,omitempty"`
	Statement string           `json:"statement"`
	Chart     definition.Chart `json:"chart"`
	Width     int              `json:"width"`
	View      json.RawMessage  `json:"view,omitempty"` // as sent
}

// NewDashboard returns the representation of a dashboard; d has its dates.
func NewDashboard(b definition.Dashboard, d definition.Definition) Dashboard {
	return Dashboard{
		Links: self("definition", "dashboards", url.PathEscape(b.Name)), Name: b.Name, Title: b.Title,
		Description: b.Description, BuiltIn: b.BuiltIn, DateCreated: Time{d.Created}, DateModified: Time{d.Modified},
		Tiles: list.Map(b.Tiles, func(t definition.Tile) Tile {
			return Tile{t.Title, t.Statement, t.Chart, t.Width, json.RawMessage(t.View)}
		}),
	}
}

// Dashboards is the list of all dashboards of an account.
type Dashboards struct {
	Links      Links       `json:"_links"`
	Dashboards []Dashboard `json:"dashboards"`
}

// NewDashboards returns the list of dashboards.
func NewDashboards(all ...Dashboard) Dashboards {
	return Dashboards{self("definition", "dashboards"), append([]Dashboard{}, all...)}
}
