package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// Root returns the resources of the API, JSON; it succeeds only with a valid token.
func (c *Client) Root(ctx context.Context) ([]byte, error) {
	return c.get(ctx, "/v3")
}

// Keys returns the account's access tokens without their secrets, JSON.
func (c *Client) Keys(ctx context.Context) ([]byte, error) {
	return c.get(ctx, "/v3/profile/keys")
}

// Usage returns how much was processed in each month, JSON.
func (c *Client) Usage(ctx context.Context) ([]byte, error) {
	return c.get(ctx, "/v3/usage/months")
}

// DailyUsage returns how much was processed on each day of a month, JSON.
func (c *Client) DailyUsage(ctx context.Context, year, month int) ([]byte, error) {
	return c.get(ctx, "/v3/usage/daily/"+strconv.Itoa(year)+"/"+strconv.Itoa(month))
}

// Audit returns the newest events of the account's audit log, JSON.
func (c *Client) Audit(ctx context.Context, limit int) (body []byte, err error) {
	values := url.Values{"limit": {strconv.Itoa(limit)}}
	err = c.call(ctx, http.MethodGet, "/v3/audit?"+values.Encode(), "", nil, &body)
	return body, err
}
