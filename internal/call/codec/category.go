package codec

import "parley/internal/call/definition"

const categoryVersion = 2

// category2 is version 2 of a saved category. Version 1 has no collection; categories without one are still written in
// version 1, which servers of earlier versions read.
type category2 struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Query       string   `json:"query"`
	Notes       string   `json:"notes,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Version     string   `json:"version,omitempty"`
	Collection  string   `json:"collection,omitempty"`
}

// EncodeCategory encodes a saved category.
func (c *Codec) EncodeCategory(d definition.Category) []byte {
	version := categoryVersion
	if d.Collection == "" {
		version = 1
	}
	return c.sealJSON(categoryKind, version, category2(d))
}

// DecodeCategory decodes the output of EncodeCategory.
func (c *Codec) DecodeCategory(data []byte) (definition.Category, error) {
	kept, err := openJSON[category2](c, categoryKind, categoryVersion, data)
	return definition.Category(kept), err
}
