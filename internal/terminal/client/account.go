package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// Root returns the resources of the API, JSON; it succeeds only with a valid token.
func (c *Client) Root(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, "/v3", "", nil, &body)
	return body, err
}

// Keys returns the account's access tokens without their secrets, JSON.
func (c *Client) Keys(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, "/v3/profile/keys", "", nil, &body)
	return body, err
}

// Usage returns how much was processed in each month, JSON.
func (c *Client) Usage(ctx context.Context) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, "/v3/usage/months", "", nil, &body)
	return body, err
}

// DailyUsage returns how much was processed on each day of a month, JSON.
func (c *Client) DailyUsage(ctx context.Context, year, month int) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, "/v3/usage/daily/"+strconv.Itoa(year)+"/"+strconv.Itoa(month), "", nil, &body)
	return body, err
}

// Audit returns the newest events of the account's audit log, JSON.
func (c *Client) Audit(ctx context.Context, limit int) (body []byte, err error) {
	values := url.Values{"limit": {strconv.Itoa(limit)}}
	err = c.call(ctx, http.MethodGet, "/v3/audit?"+values.Encode(), "", nil, &body)
	return body, err
}
