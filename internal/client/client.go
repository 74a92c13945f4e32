// Package client speaks the server's own HTTP API; the command line uses it.
//
// It does not retry uploads by itself and knows nothing of the server's insides.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Client calls one server with one token.
type Client struct {
	Base  string // such as http://127.0.0.1:8080
	Token string
	HTTP  *http.Client
}

// Error is an answer that is not a success.
type Error struct {
	Status    int
	Messages  []string
	Reference string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (HTTP %d, reference %s)", strings.Join(e.Messages, "; "), e.Status, e.Reference)
}

// Item is a media item as far as the command line needs it.
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

// Progress is how far a media item has come.
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

// Submission is what to upload. Configuration and Metadata are JSON, Transcript what is said in the recording in
// any known format; empty for none.
type Submission struct {
	Name          string
	Media         io.Reader
	Configuration string
	Metadata      string
	Transcript    string
}

// SubmitFile uploads one recording from disk.
func (c *Client) SubmitFile(ctx context.Context, path, configuration, metadata string) (Item, error) {
	f, err := os.Open(path)
	if err != nil {
		return Item{}, err
	}
	defer f.Close()
	return c.Submit(ctx, Submission{Name: filepath.Base(path), Media: f, Configuration: configuration, Metadata: metadata})
}

// Submit uploads one recording; it is stored durably when Submit returns.
func (c *Client) Submit(ctx context.Context, s Submission) (Item, error) {
	body, feed := io.Pipe()
	form := multipart.NewWriter(feed)
	go func() { feed.CloseWithError(writeForm(form, s)) }()
	defer body.Close() // ends the writer where the server answers early
	var item Item
	err := c.call(ctx, http.MethodPost, "/v3/media", form.FormDataContentType(), body, &item)
	return item, err
}

// Reprocess has a recording processed again, with the documents of a submission; it carries no media. The request
// is stored durably when Reprocess returns.
func (c *Client) Reprocess(ctx context.Context, id string, s Submission) (Item, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	var item Item
	if err := errors.Join(writeDocuments(form, s), form.Close()); err != nil {
		return item, err
	}
	err := c.call(ctx, http.MethodPost, "/v3/media/"+url.PathEscape(id), form.FormDataContentType(), &body, &item)
	return item, err
}

func writeDocuments(form *multipart.Writer, s Submission) error {
	for name, value := range map[string]string{"configuration": s.Configuration, "metadata": s.Metadata, "transcript": s.Transcript} {
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

// Item returns a media item.
func (c *Client) Item(ctx context.Context, id string) (Item, error) {
	var item Item
	err := c.call(ctx, http.MethodGet, "/v3/media/"+url.PathEscape(id), "", nil, &item)
	return item, err
}

// Transcript returns a finished transcript in a format: json, text, srt, webvtt or dfxp.
func (c *Client) Transcript(ctx context.Context, id, format string) ([]byte, error) {
	path := "/v3/media/" + url.PathEscape(id) + "/transcript"
	if format != "json" {
		path += "/" + url.PathEscape(format)
	}
	var body []byte
	err := c.call(ctx, http.MethodGet, path, "", nil, &body)
	return body, err
}

// Callback is one delivery of an item's results.
type Callback struct {
	CallbackID string `json:"callbackId"`
	Type       string `json:"type"`
	Endpoint   string `json:"endpoint"`
	Status     string `json:"status"` // pending, delivered or failed
	Tries      []struct {
		Status int    `json:"status"`
		Error  string `json:"error"`
	} `json:"tries"`
}

// Callbacks returns the deliveries of an item.
func (c *Client) Callbacks(ctx context.Context, id string) ([]Callback, error) {
	var list struct {
		Callbacks []Callback `json:"callbacks"`
	}
	body, err := c.Deliveries(ctx, id)
	if err == nil {
		err = json.Unmarshal(body, &list)
	}
	return list.Callbacks, err
}

// Metadata returns the metadata of a media item, JSON.
func (c *Client) Metadata(ctx context.Context, id string) (body []byte, err error) {
	err = c.call(ctx, http.MethodGet, metadataPath(id), "", nil, &body)
	return body, err
}

// PutMetadata replaces the metadata of a media item and returns what the server has then, JSON.
func (c *Client) PutMetadata(ctx context.Context, id string, metadata io.Reader) (body []byte, err error) {
	err = c.call(ctx, http.MethodPut, metadataPath(id), "application/json", metadata, &body)
	return body, err
}

func metadataPath(id string) string { return "/v3/media/" + url.PathEscape(id) + "/metadata" }

// Progress returns how far processing has come.
func (c *Client) Progress(ctx context.Context, id string) (Progress, error) {
	var body struct {
		Status   string `json:"status"`
		Progress struct {
			Tasks []Task `json:"tasks"`
		} `json:"progress"`
	}
	err := c.call(ctx, http.MethodGet, "/v3/media/"+url.PathEscape(id)+"/progress", "", nil, &body)
	return Progress{Status: body.Status, Tasks: body.Progress.Tasks}, err
}

// Wait polls until the item is finished, failed or rejected, and calls show with each progress.
func (c *Client) Wait(ctx context.Context, id string, every time.Duration, show func(Progress)) (Item, error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		p, err := c.Progress(ctx, id)
		if err != nil {
			return Item{}, err
		}
		show(p)
		if p.Status == "finished" || p.Status == "failed" || p.Status == "rejected" {
			return c.Item(ctx, id)
		}
		select {
		case <-ctx.Done():
			return Item{}, ctx.Err()
		case <-tick.C:
		}
	}
}

// call sends a request and reads the answer into result: *[]byte takes the bytes, anything else is JSON.
func (c *Client) call(ctx context.Context, method, path, contentType string, body io.Reader, result any) error {
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.Base, "/")+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return readError(response)
	}
	if raw, ok := result.(*[]byte); ok {
		*raw, err = io.ReadAll(response.Body)
		return err
	}
	if to, ok := result.(io.Writer); ok {
		_, err = io.Copy(to, response.Body)
		return err
	}
	return json.NewDecoder(response.Body).Decode(result)
}

func readError(response *http.Response) error {
	e := &Error{Status: response.StatusCode, Reference: response.Header.Get("X-Request-Id")}
	head, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	var body struct {
		Errors []struct {
			Error string `json:"error"`
		} `json:"errors"`
	}
	if json.NewDecoder(bytes.NewReader(head)).Decode(&body) != nil || len(body.Errors) == 0 {
		e.Messages = []string{strings.TrimSpace(string(head))}
		return e
	}
	for _, problem := range body.Errors {
		e.Messages = append(e.Messages, problem.Error)
	}
	return e
}
