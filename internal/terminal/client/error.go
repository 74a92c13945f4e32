package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is an unsuccessful answer.
type Error struct {
	Status     int
	Problems   []Problem
	Reference  string        // identifies the request in the server's log; empty if the server sent none
	RetryAfter time.Duration // time to wait before a retry; 0 if the server named none
}

// Problem is one problem of a request, with its public code; the code is 0 in answers of other servers.
type Problem struct {
	Code    int    `json:"code"`
	Message string `json:"error"`
}

func (p Problem) String() string {
	if p.Code == 0 {
		return p.Message
	}
	return fmt.Sprintf("%s (code %d)", p.Message, p.Code)
}

// Error lists several problems, one per line.
func (e *Error) Error() string {
	where := fmt.Sprintf("HTTP %d", e.Status)
	if e.Reference != "" {
		where += ", reference " + e.Reference
	}
	switch len(e.Problems) {
	case 0:
		return where
	case 1:
		if p := e.Problems[0]; p.Code != 0 {
			where = fmt.Sprintf("code %d, %s", p.Code, where)
		}
		return fmt.Sprintf("%s (%s)", e.Problems[0].Message, where)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d problems (%s):", len(e.Problems), where)
	for _, p := range e.Problems {
		fmt.Fprintf(&b, "\n  %s", p)
	}
	return b.String()
}

// Limits of what is read and shown of an error answer.
const (
	maxErrorBody = 64 << 10
	maxForeign   = 300 // bytes of an answer from something other than the API, such as a proxy
)

func readError(response *http.Response) error {
	e := &Error{Status: response.StatusCode, Reference: response.Header.Get("X-Request-Id")}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(min(seconds, 3600)) * time.Second
	}
	head, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	var body struct {
		Errors    []Problem `json:"errors"`
		Reference string    `json:"reference"`
	}
	if json.NewDecoder(bytes.NewReader(head)).Decode(&body) == nil && len(body.Errors) > 0 {
		e.Problems = body.Errors
		if body.Reference != "" {
			e.Reference = body.Reference
		}
		return e
	}
	if foreign := strings.Join(strings.Fields(string(head[:min(len(head), maxForeign)])), " "); foreign != "" {
		e.Problems = []Problem{{Message: "the answer does not come from this API: " + foreign}}
	}
	return e
}
