package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

const publicKeysPath = "/v3/security/public-keys"

// AddPublicKey uploads an OpenPGP public key for encrypting recordings, and returns its id and hash, JSON.
func (c *Client) AddPublicKey(ctx context.Context, key io.Reader) (body []byte, err error) {
	err = c.call(ctx, http.MethodPost, publicKeysPath, "application/octet-stream", key, &body)
	return body, err
}

// PublicKeys returns the URLs of the account's public keys, JSON.
func (c *Client) PublicKeys(ctx context.Context) ([]byte, error) {
	return c.get(ctx, publicKeysPath)
}

// PublicKey returns a public key byte for byte as uploaded.
func (c *Client) PublicKey(ctx context.Context, id string) ([]byte, error) {
	return c.get(ctx, publicKeyPath(id))
}

// DeletePublicKey deletes a public key; recordings already accepted keep their copy.
func (c *Client) DeletePublicKey(ctx context.Context, id string) error {
	return c.remove(ctx, publicKeyPath(id))
}

func publicKeyPath(id string) string { return publicKeysPath + "/" + url.PathEscape(id) }
