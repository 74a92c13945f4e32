package wire

import (
	"encoding/json"
	"net/url"

	"parley/internal/call/definition"
)

// Preset is a saved upload configuration.
type Preset struct {
	Links         Links           `json:"_links"`
	Name          string          `json:"presetName"`
	Description   string          `json:"presetDescription,omitempty"`
	Configuration json.RawMessage `json:"configuration"` // as sent
	DateCreated   Time            `json:"dateCreated"`
	DateModified  Time            `json:"dateModified"`
}

// NewPreset returns the representation of a preset; d has its dates.
func NewPreset(p definition.Preset, d definition.Definition) Preset {
	return Preset{self("definition", "presets", url.PathEscape(p.Name)), p.Name, p.Description, p.Configuration,
		Time{d.Created}, Time{d.Modified}}
}

// Presets is the list of all presets of an account.
type Presets struct {
	Links   Links    `json:"_links"`
	Presets []Preset `json:"presets"`
}

// NewPresets returns the list of presets.
func NewPresets(all ...Preset) Presets {
	return Presets{self("definition", "presets"), append([]Preset{}, all...)}
}
