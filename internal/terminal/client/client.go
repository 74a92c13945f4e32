// Package client is a client of the server's HTTP API, for the command line.
//
// It retries no request by itself, except those of Wait (see Patience), and does not depend on the server's internals.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client calls one server with one token.
type Client struct {
	Base  string // such as http://127.0.0.1:8080
	Token string
	HTTP  *http.Client

	Patience Patience // for Wait
}

// Item is a media item with the fields that the command line needs.
type Item struct {
	MediaID string `json:"mediaId"`
	Status  string `json:"status"`
	Length  int64  `json:"length"` // ms
	Errors  []struct {
		Code  int    `json:"code"`
		Error string `json:"error"`
	} `json:"errors"`
	Warnings []struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"warnings"`
}

// Progress is the processing progress of a media item.
type Progress struct {
	Status string
	Tasks  []Task
}

// Task is one step of processing.
type Task struct {
	TaskID  string `json:"taskId"`
	Display string `json:"display"`
	Status  string `json:"status"`
	Percent int    `json:"percent"`
}

// Submission is what to upload. Configuration and Metadata are JSON; Transcript is the text of the recording in any
// known format; empty for none.
type Submission struct {
	Name           string
	Media          io.Reader
	Configuration  string
	Metadata       string
	Transcript     string
	IdempotencyKey string // the server executes only one of all requests with the same key; empty: none
}

// Submit uploads one recording; it is stored durably when Submit returns.
func (c *Client) Submit(ctx context.Context, s Submission) (Item, error) {
	body, feed := io.Pipe()
	form := multipart.NewWriter(feed)
	go func() { feed.CloseWithError(writeForm(form, s)) }()
	defer body.Close() // ends the writer if the server answers early
	var item Item
	err := c.send(ctx, request{
		method: http.MethodPost, path: "/v3/media", contentType: form.FormDataContentType(), header: s.header(),
		body: body,
	}, &item)
	return item, err
}

// Reprocess requests that a recording be processed again, with the documents of a submission; it sends no media. The
// request is stored durably when Reprocess returns.
func (c *Client) Reprocess(ctx context.Context, id string, s Submission) (Item, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	var item Item
	if err := errors.Join(writeDocuments(form, s), form.Close()); err != nil {
		return item, err
	}
	err := c.send(ctx, request{
		method: http.MethodPost, path: mediaPath(id), contentType: form.FormDataContentType(), header: s.header(),
		body: &body,
	}, &item)
	return item, err
}

// header returns the headers with the idempotency key of a submission.
func (s Submission) header() http.Header {
	if s.IdempotencyKey == "" {
		return nil
	}
	return http.Header{"Idempotency-Key": {s.IdempotencyKey}}
}

func writeDocuments(form *multipart.Writer, s Submission) error {
	for name, value := range map[string]string{"configuration": s.Configuration, "metadata": s.Metadata,
		"transcript": s.Transcript} {
		if value == "" {
			continue
		}
		if err := form.WriteField(name, value); err != nil {
			return err
		}
	}
	return nil
}

func writeForm(form *multipart.Writer, s Submission) error {
	if err := writeDocuments(form, s); err != nil {
		return err
	}
	part, err := form.CreateFormFile("media", s.Name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, s.Media); err != nil {
		return err
	}
	return form.Close()
}

// Media returns a media item with all its results, JSON.
func (c *Client) Media(ctx context.Context, id string) ([]byte, error) {
	return c.get(ctx, mediaPath(id))
}

// Delete deletes a media item and all its data.
func (c *Client) Delete(ctx context.Context, id string) error {
	return c.remove(ctx, mediaPath(id))
}

// Item returns a media item.
func (c *Client) Item(ctx context.Context, id string) (Item, error) {
	var item Item
	err := c.call(ctx, http.MethodGet, mediaPath(id), "", nil, &item)
	return item, err
}

// Transcript returns a finished transcript in the format with the given name, such as json or srt.
func (c *Client) Transcript(ctx context.Context, id, format string) ([]byte, error) {
	path := mediaPath(id) + "/transcript"
	if format != "json" {
		path += "/" + url.PathEscape(format)
	}
	return c.get(ctx, path)
}

// Metadata returns the metadata of a media item, JSON.
func (c *Client) Metadata(ctx context.Context, id string) ([]byte, error) {
	return c.get(ctx, metadataPath(id))
}

// PutMetadata replaces the metadata of a media item and returns the stored metadata, JSON.
func (c *Client) PutMetadata(ctx context.Context, id string, metadata io.Reader) (body []byte, err error) {
	err = c.call(ctx, http.MethodPut, metadataPath(id), "application/json", metadata, &body)
	return body, err
}

func mediaPath(id string) string { return "/v3/media/" + url.PathEscape(id) }

func metadataPath(id string) string { return mediaPath(id) + "/metadata" }

func progressPath(id string) string { return mediaPath(id) + "/progress" }

// RawProgress returns the processing progress, JSON.
func (c *Client) RawProgress(ctx context.Context, id string) ([]byte, error) {
	return c.get(ctx, progressPath(id))
}

// Progress returns the processing progress.
func (c *Client) Progress(ctx context.Context, id string) (Progress, error) {
	var body struct {
		Status   string `json:"status"`
		Progress struct {
			Tasks []Task `json:"tasks"`
		} `json:"progress"`
	}
	err := c.call(ctx, http.MethodGet, progressPath(id), "", nil, &body)
	return Progress{Status: body.Status, Tasks: body.Progress.Tasks}, err
}

// Wait polls until the item is finished, failed or rejected, and calls show with each progress. It retries while a
// server is unavailable or busy; see Patience.
func (c *Client) Wait(ctx context.Context, id string, every time.Duration, show func(Progress)) (item Item, err error) {
	for {
		var p Progress
		err := c.Patience.Do(ctx, func() (err error) { p, err = c.Progress(ctx, id); return err })
		if err != nil {
			return Item{}, err
		}
		show(p)
		if p.Status == "finished" || p.Status == "failed" || p.Status == "rejected" {
			err := c.Patience.Do(ctx, func() (err error) { item, err = c.Item(ctx, id); return err })
			return item, err
		}
		select {
		case <-ctx.Done():
			return Item{}, ctx.Err()
		case <-time.After(every):
		}
	}
}

// request is one request to the server.
type request struct {
	method, path string
	contentType  string // of the body; empty without a body
	header       http.Header
	body         io.Reader
}

// get returns the bytes of an answer.
func (c *Client) get(ctx context.Context, path string) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, path, "", nil, &body)
	return body, err
}

// remove deletes a resource.
func (c *Client) remove(ctx context.Context, path string) error {
	var body []byte
	return c.call(ctx, http.MethodDelete, path, "", nil, &body)
}

// call sends a request and decodes the answer into result, like send.
func (c *Client) call(ctx context.Context, method, path, contentType string, body io.Reader, result any) error {
	return c.send(ctx, request{method: method, path: path, contentType: contentType, body: body}, result)
}

// send sends a request and decodes the answer into result: a *[]byte gets the bytes, anything else is decoded from
// JSON.
func (c *Client) send(ctx context.Context, r request, result any) error {
	response, err := c.answer(ctx, r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if body, raw := result.(*[]byte); raw {
		*body, err = io.ReadAll(response.Body)
		return err
	}
	return json.NewDecoder(response.Body).Decode(result)
}

// answer sends a request and returns the answer, whose body the caller must close. An unsuccessful answer becomes an
// *Error. The request fails if no byte moves for longer than silence.
func (c *Client) answer(ctx context.Context, r request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	sent, err := http.NewRequestWithContext(ctx, r.method, strings.TrimRight(c.Base, "/")+r.path, r.body)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	maps.Copy(sent.Header, r.header)
	sent.Header.Set("Authorization", "Bearer "+c.Token)
	if r.contentType != "" {
		sent.Header.Set("Content-Type", r.contentType)
	}
	watch := newWatch(cancel)
	if sent.Body != nil && sent.Body != http.NoBody {
		sent.Body = &watchedBody{ReadCloser: sent.Body, watch: watch}
	}
	response, err := c.HTTP.Do(sent)
	if err != nil {
		watch.stop()
		if cause := context.Cause(ctx); cause == errSilent {
			err = cause
		}
		cancel(nil)
		return nil, err
	}
	response.Body = &watchedBody{ReadCloser: response.Body, watch: watch, last: true}
	if response.StatusCode/100 != 2 {
		defer response.Body.Close()
		return nil, readError(response)
	}
	return response, nil
}
