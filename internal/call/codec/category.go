package codec

import "parley/internal/call/definition"

const categoryVersion = 1

// category1 is version 1 of a saved category.
type category1 struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Query       string   `json:"query"`
	Notes       string   `json:"notes,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Version     string   `json:"version,omitempty"`
}

// EncodeCategory encodes a saved category.
func (c *Codec) EncodeCategory(d definition.Category) []byte {
	return c.sealJSON(categoryKind, categoryVersion, category1(d))
}

// DecodeCategory decodes the output of EncodeCategory.
func (c *Codec) DecodeCategory(data []byte) (definition.Category, error) {
	kept, err := openJSON[category1](c, categoryKind, categoryVersion, data)
	return definition.Category(kept), err
}

const queryVersion = 1

// query1 is version 1 of a saved query.
type query1 struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Query       string `json:"query"`
}

// EncodeQuery encodes a saved query.
func (c *Codec) EncodeQuery(q definition.Query) []byte {
	return c.sealJSON(queryKind, queryVersion, query1(q))
}

// DecodeQuery decodes the output of EncodeQuery.
func (c *Codec) DecodeQuery(data []byte) (definition.Query, error) {
	kept, err := openJSON[query1](c, queryKind, queryVersion, data)
	return definition.Query(kept), err
}
