package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
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
func (c *Client) Try(ctx context.Context, t Trial) (answer []byte, err error) {
	body, err := json.Marshal(t)
	if err == nil {
		err = c.call(ctx, http.MethodPost, "/v3/analytics/test", "application/json", bytes.NewReader(body), &answer)
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
