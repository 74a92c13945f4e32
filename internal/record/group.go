package record

import (
	"encoding/json"

	"parley/internal/definition"
)

const groupVersion = 1

// group1 is version 1 of a saved keyword group.
type group1 struct {
	Name     string   `json:"name"`
	Keywords []string `json:"keywords,omitempty"`
}

// EncodeGroup encodes a keyword group that an account saves.
func (c *Codec) EncodeGroup(g definition.Group) []byte {
	content, err := json.Marshal(group1(g))
	if err != nil {
		panic(err) // not reached: texts can be encoded
	}
	return c.seal(groupKind, groupVersion, content)
}

// DecodeGroup reads what EncodeGroup wrote.
func (c *Codec) DecodeGroup(data []byte) (definition.Group, error) {
	_, content, err := c.open(groupKind, groupVersion, data)
	if err != nil {
		return definition.Group{}, err
	}
	var kept group1
	if err := json.Unmarshal(content, &kept); err != nil {
		return definition.Group{}, err
	}
	return definition.Group(kept), nil
}
