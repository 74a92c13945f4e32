package servertest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	openapi "parley/api"
)

// contract returns a transport that holds every answer to the API description.
func contract(t *testing.T) http.RoundTripper {
	t.Helper()
	router, err := loadContract()
	if err != nil {
		t.Fatal(err)
	}
	return &checked{t: t, router: router}
}

var loadContract = sync.OnceValues(func() (routers.Router, error) {
	body, err := openapi.JSON()
	if err != nil {
		return nil, err
	}
	spec, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		return nil, err
	}
	spec.Servers = nil
	return legacy.NewRouter(spec)
})

type checked struct {
	t      *testing.T
	router routers.Router
}

// RoundTrip sends the request and checks the answer: its status, headers and body must be described. Paths
// that the API does not have are left alone when they answer 404.
func (c *checked) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	relative := r.Clone(r.Context())
	relative.URL.Scheme, relative.URL.Host, relative.Host = "", "", ""
	if relative.Method == http.MethodHead {
		return response, nil // the same as GET, without the body that is checked
	}
	route, params, err := c.router.FindRoute(relative)
	if err != nil {
		if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed && response.StatusCode != http.StatusNoContent {
			c.t.Errorf("%s %s is not in the API description (HTTP %d): %v", r.Method, r.URL.Path, response.StatusCode, err)
		}
		return response, nil
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.check(relative, route, params, response, body)
	return response, nil
}

func (c *checked) check(r *http.Request, route *routers.Route, params map[string]string, response *http.Response, body []byte) {
	c.t.Helper()
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 response.StatusCode,
		Header:                 response.Header,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			ExcludeResponseBody:   !strings.Contains(response.Header.Get("Content-Type"), "json"),
		},
	}
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
		c.t.Errorf("%s %s: the answer is not as described: %v", r.Method, r.URL.Path, err)
	}
}
