package codec

import "parley/internal/call/definition"

const groupVersion = 1

// group1 is version 1 of a saved keyword group.
type group1 struct {
	Name     string   `json:"name"`
	Keywords []string `json:"keywords,omitempty"`
}

// EncodeGroup encodes a saved keyword group.
func (c *Codec) EncodeGroup(g definition.Group) []byte {
	return c.sealJSON(groupKind, groupVersion, group1(g))
}

// DecodeGroup decodes the output of EncodeGroup.
func (c *Codec) DecodeGroup(data []byte) (definition.Group, error) {
	kept, err := openJSON[group1](c, groupKind, groupVersion, data)
	return definition.Group(kept), err
}
