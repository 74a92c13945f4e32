package codec

import (
	"parley/internal/call/definition"
	"parley/internal/words/list"
)

const dashboardVersion = 1

// dashboard1 is version 1 of a dashboard.
type dashboard1 struct {
	Name        string  `json:"name"`
	Title       string  `json:"title,omitempty"`
	Description string  `json:"description,omitempty"`
	Tiles       []tile1 `json:"tiles,omitempty"`
}

type tile1 struct {
	Title     string           `json:"title,omitempty"`
	Statement string           `json:"statement"`
	Chart     definition.Chart `json:"chart"`
	Width     int              `json:"width"`
	View      definition.View  `json:"view,omitempty"`
}

// EncodeDashboard encodes a saved dashboard.
func (c *Codec) EncodeDashboard(d definition.Dashboard) []byte {
	return c.sealJSON(dashboardKind, dashboardVersion, dashboard1{d.Name, d.Title, d.Description,
		list.Map(d.Tiles, func(t definition.Tile) tile1 { return tile1(t) })})
}

// DecodeDashboard decodes the output of EncodeDashboard.
func (c *Codec) DecodeDashboard(data []byte) (definition.Dashboard, error) {
	kept, err := openJSON[dashboard1](c, dashboardKind, dashboardVersion, data)
	d := definition.Dashboard{Name: kept.Name, Title: kept.Title, Description: kept.Description}
	for _, t := range kept.Tiles {
		d.Tiles = append(d.Tiles, definition.Tile(t))
	}
	return d, err
}
