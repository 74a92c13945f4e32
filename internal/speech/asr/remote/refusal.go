package remote

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/fault"
)

// setting is the flag named in error messages for operators.
const setting = "--engine-url"

// refused classifies an answer by its status.
func (c *Client) refused(answer *http.Response, body []byte) *failure {
	status, says := answer.StatusCode, reason(body)
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		// The body is not quoted: services repeat the key in it.
		return &failure{err: c.unavailable("the service rejected the key (status %d); check the variable %s", status,
			c.endpoint.KeyName)}
	case status == http.StatusPaymentRequired:
		return &failure{err: c.unavailable("the service must be paid (status 402%s); check the account there", says)}
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status/100 == 3:
		return &failure{err: c.unavailable("the service does not know the address or the model (status %d%s); check %s",
			status, says, setting)}
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusTooEarly,
		status >= 500:
		return &failure{again: true, after: retryAfter(answer.Header), err: c.unavailable("status %d%s", status, says)}
	}
	return &failure{err: Rejected(c.endpoint.Name, "status "+strconv.Itoa(status)+says)}
}

// Rejected is the error for audio that a service rejects. It concerns this chunk only.
func Rejected(engine, why string) error {
	return fault.New(fault.Invalid, fault.CodeEngineFailed, "engine %s rejected this audio: %s", engine, why)
}

// retryAfter parses Retry-After, in seconds or as a date; 0 if it is absent.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 1e6) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// maxReason is the maximum length of a quoted explanation of the service, in characters.
const maxReason = 200

// reason extracts the explanation from the body of an error, in any of the services' formats, and puts a colon before
// it.
func reason(body []byte) string {
	var e struct {
		Error   json.RawMessage `json:"error"`   // OpenAI: object with message; whisper.cpp: string
		Detail  json.RawMessage `json:"detail"`  // FastAPI: string, or list of objects with msg
		ErrMsg  string          `json:"err_msg"` // Deepgram
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &e) != nil {
		return ""
	}
	for _, text := range []string{Explain(e.Error), Explain(e.Detail), e.ErrMsg, e.Message} {
		if text = clean(text); text != "" {
			return ": " + text
		}
	}
	return ""
}

// Explain parses an error that is a string, an object with a message, or a list of these.
func Explain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	type one struct{ Message, Msg string }
	var object one
	if json.Unmarshal(raw, &object) == nil {
		return object.Message
	}
	var list []one
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		return list[0].Msg
	}
	return ""
}

func clean(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	return fault.Clip(text, maxReason)
}
