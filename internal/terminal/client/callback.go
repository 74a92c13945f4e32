package client

import (
	"context"
	"net/http"
	"net/url"
)

// Deliveries returns the deliveries of an item's results with what was tried, JSON.
func (c *Client) Deliveries(ctx context.Context, id string) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, callbacksPath(id), "", nil, &body)
	return body, err
}

// DeliverAgain begins the schedule of a delivery anew, now, and returns the delivery, JSON.
func (c *Client) DeliverAgain(ctx context.Context, id, callback string) (body []byte, err error) {
	err = c.call(ctx, http.MethodPost, callbacksPath(id)+"/"+url.PathEscape(callback)+"/retry", "", nil, &body)
	return body, err
}

// FailingEndpoints returns the account's receivers that do not take what is sent to them, JSON.
func (c *Client) FailingEndpoints(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, "/v3/callbacks/endpoints", "", nil, &body)
	return body, err
}

func callbacksPath(id string) string { return "/v3/media/" + url.PathEscape(id) + "/callbacks" }

const secretsPath = "/v3/callbacks/secrets"

// CallbackSecrets returns the secrets that deliveries are signed with, without what they are, JSON.
func (c *Client) CallbackSecrets(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, secretsPath, "", nil, &body)
	return body, err
}

// CreateCallbackSecret makes a further secret and returns it, JSON; what it is shows this once.
func (c *Client) CreateCallbackSecret(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodPost, secretsPath, "", nil, &body)
	return body, err
}

// DeleteCallbackSecret ends the use of a secret.
func (c *Client) DeleteCallbackSecret(ctx context.Context, id string) error {
	var body []byte
	return c.call(ctx, http.MethodDelete, secretsPath+"/"+url.PathEscape(id), "", nil, &body)
}
