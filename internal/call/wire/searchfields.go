package wire

// SearchFields is the list of metadata fields by which an account can search media.
type SearchFields struct {
	Links  Links    `json:"_links"`
	Fields []string `json:"fields"`
}

// NewSearchFields returns the answer about the search fields.
func NewSearchFields(fields []string) SearchFields {
	return SearchFields{Links: self("definition", "media", "search"), Fields: append([]string{}, fields...)}
}
