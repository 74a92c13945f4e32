package codec

import "parley/internal/call/definition"

const fieldsVersion = 1

// fields1 is version 1 of the list of search fields.
type fields1 struct {
	Fields []string `json:"fields"`
}

// EncodeSearchFields encodes an account's list of search fields.
func (c *Codec) EncodeSearchFields(fields definition.SearchFields) []byte {
	return c.sealJSON(fieldsKind, fieldsVersion, fields1{fields})
}

// DecodeSearchFields decodes the output of EncodeSearchFields.
func (c *Codec) DecodeSearchFields(data []byte) (definition.SearchFields, error) {
	kept, err := openJSON[fields1](c, fieldsKind, fieldsVersion, data)
	return kept.Fields, err
}
