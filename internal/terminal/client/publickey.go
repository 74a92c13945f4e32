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
func (c *Client) PublicKeys(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, publicKeysPath, "", nil, &body)
	return body, err
}

// PublicKey returns a public key byte for byte as uploaded.
func (c *Client) PublicKey(ctx context.Context, id string) (key []byte, err error) {
	err = c.call(ctx, http.MethodGet, publicKeyPath(id), "", nil, &key)
	return key, err
}

// DeletePublicKey deletes a public key; recordings already accepted keep their copy.
func (c *Client) DeletePublicKey(ctx context.Context, id string) error {
	var body []byte
	return c.call(ctx, http.MethodDelete, publicKeyPath(id), "", nil, &body)
}

func publicKeyPath(id string) string { return publicKeysPath + "/" + url.PathEscape(id) }
