package record

import (
	"encoding/json"

	"parley/internal/definition"
)

const fieldsVersion = 1

// fields1 is version 1 of the list of search fields.
type fields1 struct {
	Fields []string `json:"fields"`
}

// EncodeSearchFields encodes the list of fields that an account's media are found by.
func (c *Codec) EncodeSearchFields(fields definition.SearchFields) []byte {
	content, err := json.Marshal(fields1{fields})
	if err != nil {
		panic(err) // not reached: texts can be encoded
	}
	return c.seal(fieldsKind, fieldsVersion, content)
}

// DecodeSearchFields reads what EncodeSearchFields wrote.
func (c *Codec) DecodeSearchFields(data []byte) (definition.SearchFields, error) {
	_, content, err := c.open(fieldsKind, fieldsVersion, data)
	if err != nil {
		return nil, err
	}
	var kept fields1
	if err := json.Unmarshal(content, &kept); err != nil {
		return nil, err
	}
	return kept.Fields, nil
}
