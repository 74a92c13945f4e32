package wire

// SearchFields is the list of metadata fields that an account's media are found by.
type SearchFields struct {
	Links  Links    `json:"_links"`
	Fields []string `json:"fields"`
}

// NewSearchFields returns the answer about the search fields.
func NewSearchFields(fields []string) SearchFields {
	return SearchFields{Links: self("definition", "media", "search"), Fields: append([]string{}, fields...)}
}
