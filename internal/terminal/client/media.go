package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
)

// Filter selects media items; empty fields match everything.
type Filter struct {
	Query          string // search words, as in the media list
	Status         string // accepted, scheduled, running, finished, failed or rejected
	ExternalID     string
	Extended       []string // name:value, for defined search fields
	OnOrAfterDate  string
	OnOrBeforeDate string
	Oldest         bool // oldest first; otherwise newest first
}

// maxPage is the maximum number of items per page.
const maxPage = 1000

// List returns up to limit media items, each as JSON, and the server's warnings.
func (c *Client) List(
	ctx context.Context, f Filter, limit int,
) (items []json.RawMessage, warnings []string, err error) {
	values := f.values()
	for {
		values.Set("limit", strconv.Itoa(min(limit-len(items), maxPage)))
		var page struct {
			Links struct {
				Next *struct {
					Href string `json:"href"`
				} `json:"next"`
			} `json:"_links"`
			Media    []json.RawMessage `json:"media"`
			Warnings []struct {
				Message string `json:"message"`
			} `json:"warnings"`
		}
		if err := c.call(ctx, http.MethodGet, "/v3/media?"+values.Encode(), "", nil, &page); err != nil {
			return nil, nil, err
		}
		items = append(items, page.Media...)
		for _, w := range page.Warnings {
			warnings = append(warnings, w.Message)
		}
		if page.Links.Next == nil || len(items) >= limit || len(page.Media) == 0 {
			return items, warnings, nil
		}
		next, err := url.Parse(page.Links.Next.Href)
		if err != nil {
			return nil, nil, fmt.Errorf("read the media list: the address of the next page: %w", err)
		}
		values = next.Query()
	}
}

func (f Filter) values() url.Values {
	values := url.Values{}
	for name, value := range map[string]string{
		"query": f.Query, "status": f.Status, "externalId": f.ExternalID, "onOrAfterDate": f.OnOrAfterDate,
		"onOrBeforeDate": f.OnOrBeforeDate,
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	for _, filter := range f.Extended {
		values.Add("extendedFilter", filter)
	}
	if f.Oldest {
		values.Set("sortOrder", "asc")
	}
	return values
}

// Stream is the content of a stream of a media item, starting at Offset.
type Stream struct {
	Filename string // name given by the server; empty if none
	ETag     string
	Offset   int64
	Size     int64 // of the whole stream
	Body     io.ReadCloser
}

// StreamHead returns the properties of a stream, without its content.
func (c *Client) StreamHead(ctx context.Context, id, name string) (*Stream, error) {
	s, err := c.stream(ctx, request{method: http.MethodHead, path: streamPath(id, name)})
	if _, refused := errors.AsType[*Error](err); refused {
		s, err = c.OpenStream(ctx, id, name, 0, "") // only the answer to GET contains the error
	}
	if err == nil {
		s.Body.Close()
		s.Body = nil
	}
	return s, err
}

// OpenStream opens a stream at an offset, or at its beginning if its ETag is no longer the given one.
func (c *Client) OpenStream(ctx context.Context, id, name string, offset int64, etag string) (*Stream, error) {
	r := request{method: http.MethodGet, path: streamPath(id, name),
		header: http.Header{"Accept-Encoding": {"identity"}}}
	if offset > 0 {
		r.header["Range"] = []string{fmt.Sprintf("bytes=%d-", offset)}
		r.header["If-Range"] = []string{etag}
	}
	s, err := c.stream(ctx, r)
	if err == nil && s.Offset != 0 && s.Offset != offset {
		s.Body.Close()
		return nil, fmt.Errorf("requested the stream from byte %d, but the server sent it from byte %d", offset, s.Offset)
	}
	return s, err
}

func (c *Client) stream(ctx context.Context, r request) (*Stream, error) {
	response, err := c.answer(ctx, r)
	if err != nil {
		return nil, err
	}
	s := &Stream{ETag: response.Header.Get("ETag"), Size: response.ContentLength, Body: response.Body}
	if _, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition")); err == nil {
		s.Filename = parameters["filename"]
	}
	if response.StatusCode == http.StatusPartialContent {
		var last int64
		if _, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-%d/%d", &s.Offset, &last,
			&s.Size); err != nil {
			response.Body.Close()
			return nil, fmt.Errorf("Content-Range %q: %w", response.Header.Get("Content-Range"), err)
		}
	}
	return s, nil
}

func streamPath(id, name string) string {
	return mediaPath(id) + "/streams/" + url.PathEscape(name)
}
