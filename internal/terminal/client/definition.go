package client

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
)

// Definitions is a kind of definition that accounts save, written as in the paths of the API.
type Definitions string

// The kinds of named definitions.
const (
	Categories   Definitions = "categories"
	Groups       Definitions = "spotting/groups"
	Vocabularies Definitions = "vocabularies"
)

// SearchFields is the list of searchable metadata fields, one per account.
const SearchFields Definitions = "media/search"

func (d Definitions) path(name string) string {
	path := "/v3/definition/" + string(d)
	if name != "" {
		path += "/" + url.PathEscape(name)
	}
	return path
}

// Definition returns a definition, JSON; all of the kind if the name is empty.
func (c *Client) Definition(ctx context.Context, of Definitions, name string) ([]byte, error) {
	return c.get(ctx, of.path(name))
}

// PutDefinition saves a definition, JSON, and returns it as stored.
func (c *Client) PutDefinition(
	ctx context.Context, of Definitions, name string, content []byte,
) (body []byte, err error) {
	err = c.call(ctx, http.MethodPut, of.path(name), "application/json", bytes.NewReader(content), &body)
	return body, err
}

// DeleteDefinition deletes a definition; recordings already submitted keep their copy.
func (c *Client) DeleteDefinition(ctx context.Context, of Definitions, name string) error {
	return c.remove(ctx, of.path(name))
}
