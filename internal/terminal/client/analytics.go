package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Ask sends a statement of the query language and returns the answer, JSON.
func (c *Client) Ask(ctx context.Context, statement string) (answer []byte, err error) {
	err = c.call(ctx, http.MethodPost, "/v3/analytics/vbql", "text/plain; charset=utf-8", strings.NewReader(statement),
		&answer)
	return answer, err
}

// Trial describes a trial of a condition on the calls of a server; empty dates mean no bound.
type Trial struct {
	Query          string `json:"query"`
	OnOrAfterDate  string `json:"onOrAfterDate,omitempty"`
	OnOrBeforeDate string `json:"onOrBeforeDate,omitempty"`
	Samples        int    `json:"samples"`
}

// Try evaluates a condition on stored calls and returns the result, JSON.
func (c *Client) Try(ctx context.Context, t Trial) ([]byte, error) {
	return c.post(ctx, "/v3/analytics/test", t)
}

// post sends a value as JSON and returns the answer, JSON.
func (c *Client) post(ctx context.Context, path string, value any) (answer []byte, err error) {
	body, err := json.Marshal(value)
	if err == nil {
		err = c.call(ctx, http.MethodPost, path, "application/json", bytes.NewReader(body), &answer)
	}
	return answer, err
}

// Export says what is exported.
type Export struct {
	Table  string `json:"table"`
	Format string `json:"format"`
	Query  string `json:"query,omitempty"`
}

// Export writes an export to to as it arrives. It returns how many calls of the account are missing from the export
// because they are not indexed yet.
func (c *Client) Export(ctx context.Context, e Export, to io.Writer) (notIndexed int, err error) {
	body, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	response, err := c.answer(ctx,
		request{method: http.MethodPost, path: "/v3/analytics/export", contentType: "application/json",
			body: bytes.NewReader(body)})
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	notIndexed, _ = strconv.Atoi(response.Header.Get("Parley-Not-Indexed")) // 0 without the header
	_, err = io.Copy(to, response.Body)
	return notIndexed, err
}

// Exploration says which calls to show, and what of them; empty values are the defaults of the server.
type Exploration struct {
	Where      string   `json:"where,omitempty"`
	Words      string   `json:"words,omitempty"`
	From       string   `json:"from,omitempty"`
	Until      string   `json:"until,omitempty"`
	Zone       string   `json:"zone,omitempty"`
	Include    []string `json:"include,omitempty"`
	Facets     []string `json:"facets,omitempty"`
	FacetLimit int      `json:"facetLimit,omitempty"`
	Interval   string   `json:"interval,omitempty"`
	Limit      int      `json:"limit"`
	Before     string   `json:"before,omitempty"`
}

// Explore returns the calls that meet a condition, with counts, JSON.
func (c *Client) Explore(ctx context.Context, e Exploration) ([]byte, error) {
	return c.post(ctx, "/v3/analytics/explore", e)
}

// Fields returns the fields that statements can use, JSON.
func (c *Client) Fields(ctx context.Context) ([]byte, error) { return c.lookUp(ctx, "schema", nil) }

// Words returns up to limit of the words with a prefix that occur in the most calls, JSON.
func (c *Client) Words(ctx context.Context, prefix string, limit int) ([]byte, error) {
	return c.lookUp(ctx, "words", url.Values{"prefix": {prefix}, "limit": {strconv.Itoa(limit)}})
}

// Values returns up to limit of the most frequent values of a field that begin with a prefix, JSON.
func (c *Client) Values(ctx context.Context, field, prefix string, limit int) ([]byte, error) {
	return c.lookUp(ctx, "values", url.Values{"field": {field}, "prefix": {prefix}, "limit": {strconv.Itoa(limit)}})
}

// Distributions returns the quantiles of metrics of the calls that meet a condition, JSON; an empty one is met by all.
func (c *Client) Distributions(ctx context.Context, where string) ([]byte, error) {
	return c.lookUp(ctx, "distributions", url.Values{"where": {where}})
}

// lookUp reads a resource of the analytic database.
func (c *Client) lookUp(ctx context.Context, name string, parameters url.Values) (answer []byte, err error) {
	err = c.call(ctx, http.MethodGet, "/v3/analytics/"+name+"?"+parameters.Encode(), "", nil, &answer)
	return answer, err
}
