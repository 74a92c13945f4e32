package servertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// Contract returns a transport that validates every answer against the API description: the status, headers and media
// type must be described, and the JSON must have all required and no unknown properties.
func Contract(t *testing.T) http.RoundTripper {
	t.Helper()
	router, err := loadContract()
	if err != nil {
		t.Fatal(err)
	}
	return &checked{t: t, router: router}
}

var loadContract = sync.OnceValues(func() (routers.Router, error) {
	body, err := description()
	if err != nil {
		return nil, err
	}
	spec, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		return nil, err
	}
	spec.Servers = nil
	for _, s := range spec.Components.Schemas {
		closeShape(s)
	}
	return legacy.NewRouter(spec)
})

// closeShape forbids properties that a schema does not name, unless it allows them explicitly.
func closeShape(s *openapi3.SchemaRef) {
	if s == nil || s.Ref != "" {
		return
	}
	v := s.Value
	if len(v.Properties) > 0 && v.AdditionalProperties.Has == nil && v.AdditionalProperties.Schema == nil {
		no := false
		v.AdditionalProperties.Has = &no
	}
	for _, p := range v.Properties {
		closeShape(p)
	}
	closeShape(v.Items)
}

type checked struct {
	t      *testing.T
	router routers.Router
	said   sync.Map // findings already reported, so that polling does not repeat them
}

// report fails the test with a finding about a request, once per finding.
func (c *checked) report(r *http.Request, finding, detail string) {
	c.t.Helper()
	if _, again := c.said.LoadOrStore(r.Method+finding, true); !again {
		c.t.Errorf("%s %s: %s\n%.900q", r.Method, r.URL.Path, finding, detail)
	}
}

// RoundTrip sends the request and checks the answer. Requests outside the API must get one of the answers in
// undescribed.
func (c *checked) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.common(r, response, body)
	relative := r.Clone(r.Context())
	relative.URL.Scheme, relative.URL.Host, relative.Host = "", "", ""
	relative.URL.Path = "/" + strings.Trim(r.URL.Path, "/")
	if relative.Method == http.MethodHead {
		relative.Method = http.MethodGet // the same without its body
	}
	route, params, err := c.router.FindRoute(relative)
	switch {
	case err == nil:
		c.described(r, relative, route, params, response, body)
	case !undescribed[response.StatusCode]:
		c.report(r, "not in the API description: "+err.Error(), response.Status)
	}
	return response, nil
}

// undescribed are the allowed statuses for paths and methods outside the API.
var undescribed = map[int]bool{http.StatusNotFound: true, http.StatusMethodNotAllowed: true, http.StatusNoContent: true,
	http.StatusTemporaryRedirect: true}

// common checks the properties of every answer: a reference, and the body of errors.
func (c *checked) common(r *http.Request, response *http.Response, body []byte) {
	c.t.Helper()
	reference := response.Header.Get("X-Request-Id")
	if reference == "" {
		c.report(r, "no X-Request-Id", response.Status)
	}
	if response.StatusCode < http.StatusBadRequest || r.Method == http.MethodHead || r.URL.Path == "/readyz" {
		return
	}
	var failure struct {
		Status           int
		Errors, Warnings []struct {
			Code           int
			Error, Message string
		}
		Reference string
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		c.report(r, response.Status+" with a body that is no error: "+err.Error(), string(body))
		return
	}
	if failure.Reference != reference || failure.Status != response.StatusCode || len(failure.Errors) == 0 ||
		len(failure.Warnings) != len(failure.Errors) {
		c.report(r, response.Status+" and reference "+reference+" with another body", string(body))
		return
	}
	for i, e := range failure.Errors {
		if w := failure.Warnings[i]; e.Code != w.Code || e.Error != w.Message || e.Code == 0 || e.Error == "" {
			c.report(r, "the warnings are not the errors", string(body))
		}
	}
}

// described checks an answer against the description of its route.
func (c *checked) described(
	sent, r *http.Request, route *routers.Route, params map[string]string, response *http.Response, body []byte,
) {
	c.t.Helper()
	noBody := sent.Method == http.MethodHead || len(body) == 0
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 response.StatusCode,
		Header:                 response.Header,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			ExcludeResponseBody:   noBody || !strings.Contains(response.Header.Get("Content-Type"), "json"),
		},
	}
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
		c.report(sent, response.Status+" is not as described: "+withoutSchemas(err), string(body))
	}
	if responses := route.Operation.Responses; !noBody && !describes(responses, response) {
		c.report(sent, response.Status+" with a Content-Type that is not described: "+
			response.Header.Get("Content-Type"), "")
	}
}

// withoutSchemas removes the schemas and values that the validator prints after each finding.
func withoutSchemas(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if strings.Contains(line, "Error at") || len(lines) == 0 {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// describes reports whether the media type of an answer is described for its status.
func describes(responses *openapi3.Responses, response *http.Response) bool {
	described := responses.Status(response.StatusCode)
	if described == nil {
		described = responses.Default()
	}
	return described != nil && described.Value.Content.Get(response.Header.Get("Content-Type")) != nil
}
