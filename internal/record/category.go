package record

import (
	"encoding/json"

	"parley/internal/definition"
)

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

// EncodeCategory encodes a category that an account saves.
func (c *Codec) EncodeCategory(d definition.Category) []byte {
	content, err := json.Marshal(category1(d))
	if err != nil {
		panic(err) // not reached: texts can be encoded
	}
	return c.seal(categoryKind, categoryVersion, content)
}

// DecodeCategory reads what EncodeCategory wrote.
func (c *Codec) DecodeCategory(data []byte) (definition.Category, error) {
	_, content, err := c.open(categoryKind, categoryVersion, data)
	if err != nil {
		return definition.Category{}, err
	}
	var kept category1
	if err := json.Unmarshal(content, &kept); err != nil {
		return definition.Category{}, err
	}
	return definition.Category(kept), nil
}

const queryVersion = 1

// query1 is version 1 of a saved statement.
type query1 struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Query       string `json:"query"`
}

// EncodeQuery encodes a statement that an account saves.
func (c *Codec) EncodeQuery(q definition.Query) []byte {
	content, err := json.Marshal(query1(q))
	if err != nil {
		panic(err) // not reached: texts can be encoded
	}
	return c.seal(queryKind, queryVersion, content)
}

// DecodeQuery reads what EncodeQuery wrote.
func (c *Codec) DecodeQuery(data []byte) (definition.Query, error) {
	_, content, err := c.open(queryKind, queryVersion, data)
	if err != nil {
		return definition.Query{}, err
	}
	var kept query1
	if err := json.Unmarshal(content, &kept); err != nil {
		return definition.Query{}, err
	}
	return definition.Query(kept), nil
}
