package codec

import "parley/internal/call/definition"

const queryVersion = 2

// query2 is version 2 of a saved query. Version 1 has a name, a description and a statement alone; such queries are
// still written in version 1, which servers of earlier versions read.
type query2 struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Query       string          `json:"query"`
	Where       string          `json:"where,omitempty"`
	Words       string          `json:"words,omitempty"`
	View        definition.View `json:"view,omitempty"`
}

// EncodeQuery encodes a saved query.
func (c *Codec) EncodeQuery(q definition.Query) []byte {
	version := queryVersion
	if q.Query != "" && q.View == nil {
		version = 1
	}
	return c.sealJSON(queryKind, version, query2(q))
}

// DecodeQuery decodes the output of EncodeQuery.
func (c *Codec) DecodeQuery(data []byte) (definition.Query, error) {
	kept, err := openJSON[query2](c, queryKind, queryVersion, data)
	return definition.Query(kept), err
}
