package servertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"time"
)

// Client is an HTTP client of one server with one token.
type Client struct {
	Base  string
	Token string // empty: no Authorization header
	HTTP  *http.Client
}

// With returns a client of the same server with another token.
func (c *Client) With(token string) *Client {
	other := *c
	other.Token = token
	return &other
}

// Answer is a response with its body read.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// String formats the answer for messages: it truncates long bodies and quotes bytes.
func (a Answer) String() string {
	return fmt.Sprintf("HTTP %d %.900q", a.Status, a.Body)
}

// JSON returns the body as a JSON object.
func (a Answer) JSON(t *testing.T) map[string]any {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(a.Body, &body); err != nil {
		t.Fatalf("no JSON object: %v\n%s", err, a)
	}
	return body
}

// Code returns the code of the first error in the body, 0 if there is none.
func (a Answer) Code(t *testing.T) int {
	t.Helper()
	var body struct {
		Errors []struct {
			Code int `json:"code"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(a.Body, &body); err != nil || len(body.Errors) == 0 {
		return 0
	}
	return body.Errors[0].Code
}

// Do sends a request; headers are alternating names and values.
func (c *Client) Do(t *testing.T, method, path string, body io.Reader, headers ...string) Answer {
	t.Helper()
	if !strings.Contains(path, "://") {
		path = c.Base + path
	}
	r, err := http.NewRequestWithContext(t.Context(), method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.HTTP.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, answer}
}

// Get sends a GET request.
func (c *Client) Get(t *testing.T, path string, headers ...string) Answer {
	t.Helper()
	return c.Do(t, http.MethodGet, path, nil, headers...)
}

// Part is one part of a form. If it has a Filename, it is a file.
type Part struct {
	Name, Filename, ContentType string
	Body                        []byte
}

// Field returns a part without a file name.
func Field(name, value string) Part { return Part{Name: name, Body: []byte(value)} }

// File returns a part with a file.
func File(name, filename string, body []byte) Part {
	return Part{Name: name, Filename: filename, Body: body}
}

// Form encodes parts as multipart/form-data and returns body and Content-Type.
func Form(t *testing.T, parts ...Part) ([]byte, string) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for _, p := range parts {
		header := textproto.MIMEHeader{}
		disposition := `form-data; name="` + p.Name + `"`
		if p.Filename != "" {
			disposition += `; filename="` + p.Filename + `"`
		}
		header.Set("Content-Disposition", disposition)
		if p.ContentType != "" {
			header.Set("Content-Type", p.ContentType)
		}
		w, err := form.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(p.Body)
	}
	form.Close()
	return b.Bytes(), form.FormDataContentType()
}

// Post submits a form.
func (c *Client) Post(t *testing.T, parts ...Part) Answer {
	t.Helper()
	body, contentType := Form(t, parts...)
	return c.Do(t, http.MethodPost, "/v3/media", bytes.NewReader(body), "Content-Type", contentType)
}

// Submit submits a form that must be accepted, and returns the media id.
func (c *Client) Submit(t *testing.T, parts ...Part) string {
	t.Helper()
	answer := c.Post(t, parts...)
	if answer.Status != http.StatusOK {
		t.Fatalf("not accepted: %s", answer)
	}
	return answer.JSON(t)["mediaId"].(string)
}

// Await waits until an item is finished, failed or rejected, and returns it.
func (c *Client) Await(t *testing.T, id string) map[string]any {
	t.Helper()
	next := patiently()
	for {
		item := c.Get(t, "/v3/media/"+id).JSON(t)
		switch item["status"] {
		case "finished", "failed", "rejected":
			return item
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("media %s is still %v", id, item["status"])
		case <-next():
		}
	}
}

// AwaitStep waits until the progress of an item shows a step in a state; it is written once a second.
func (c *Client) AwaitStep(t *testing.T, id, step, status string) {
	t.Helper()
	next := patiently()
	for {
		progress, _ := c.Get(t, "/v3/media/"+id+"/progress").JSON(t)["progress"].(map[string]any)
		tasks, _ := progress["tasks"].([]any)
		if slices.ContainsFunc(tasks, func(task any) bool {
			of := task.(map[string]any)
			return of["taskId"] == step && of["status"] == status
		}) {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("step %s of media %s is not %s: %v", step, id, status, tasks)
		case <-next():
		}
	}
}

// patiently returns a function that tells when to poll again: often at first, then at growing intervals, so that
// polling does not slow down the server.
func patiently() (next func() <-chan time.Time) {
	began := time.Now()
	return func() <-chan time.Time {
		return time.After(min(5*time.Millisecond+time.Since(began)/8, 250*time.Millisecond))
	}
}

// Tone returns a WAV file (8 kHz, 16 bit) with speech-like bursts of noise: one second on, half a second off.
func Tone(seconds float64, channels int) []byte {
	const rate = 8000
	frames := int(seconds * rate)
	var b bytes.Buffer
	size := uint32(frames * channels * 2)
	put := func(v uint32, n int) {
		for i := range n {
			b.WriteByte(byte(v >> (8 * i)))
		}
	}
	b.WriteString("RIFF")
	put(36+size, 4)
	b.WriteString("WAVEfmt ")
	put(16, 4)
	put(1, 2)
	put(uint32(channels), 2)
	put(rate, 4)
	put(uint32(rate*channels*2), 4)
	put(uint32(channels*2), 2)
	put(16, 2)
	b.WriteString("data")
	put(size, 4)
	x := uint32(2463534242)
	for i := range frames {
		for c := range channels {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			sample := int32(x%200) - 100
			if (i/(rate/2)+c)%3 != 2 {
				sample = int32(x%16000) - 8000
			}
			put(uint32(sample), 2)
		}
	}
	return b.Bytes()
}
