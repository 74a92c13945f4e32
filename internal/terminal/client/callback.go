package client

import (
	"context"
	"net/http"
	"net/url"
)

// Deliveries returns the deliveries of an item's results with their attempts, JSON.
func (c *Client) Deliveries(ctx context.Context, id string) ([]byte, error) {
	return c.get(ctx, callbacksPath(id))
}

// DeliverAgain restarts the schedule of a delivery immediately and returns the delivery, JSON.
func (c *Client) DeliverAgain(ctx context.Context, id, callback string) (body []byte, err error) {
	err = c.call(ctx, http.MethodPost, callbacksPath(id)+"/"+url.PathEscape(callback)+"/retry", "", nil, &body)
	return body, err
}

// FailingEndpoints returns the account's receivers that fail to accept deliveries, JSON.
func (c *Client) FailingEndpoints(ctx context.Context) ([]byte, error) {
	return c.get(ctx, "/v3/callbacks/endpoints")
}

func callbacksPath(id string) string { return "/v3/media/" + url.PathEscape(id) + "/callbacks" }

const secretsPath = "/v3/callbacks/secrets"

// CallbackSecrets returns the secrets that deliveries are signed with, without their values, JSON.
func (c *Client) CallbackSecrets(ctx context.Context) ([]byte, error) {
	return c.get(ctx, secretsPath)
}

// CreateCallbackSecret makes another secret and returns it, JSON; only this answer contains its value.
func (c *Client) CreateCallbackSecret(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodPost, secretsPath, "", nil, &body)
	return body, err
}

// DeleteCallbackSecret stops the use of a secret.
func (c *Client) DeleteCallbackSecret(ctx context.Context, id string) error {
	return c.remove(ctx, secretsPath+"/"+url.PathEscape(id))
}
