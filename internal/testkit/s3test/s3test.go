// Package s3test is an in-memory S3 server on loopback, for tests, and a real one as a process. Their bucket is called
// calls and is initially empty.
//
// The one in memory does not check signatures; a test that needs this checks the requests itself.
package s3test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// New returns a handler that answers as S3 does.
func New(t testing.TB) http.Handler {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("calls"); err != nil {
		t.Fatal(err)
	}
	return gofakes3.New(backend).Server()
}

// Serve runs a handler in place of S3 until the test ends, and returns the address of its bucket with a prefix such as
// /parley, or without one. The credentials are in the environment, as in a deployment.
func Serve(t testing.TB, h http.Handler, prefix string) (address string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	Credentials(t)
	return "s3://calls" + prefix + "?region=us-east-1&path_style=true&endpoint=" + server.URL
}

// Credentials sets the environment variables with credentials, as in a deployment.
func Credentials(t testing.TB) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
}

// Bucket serves a new bucket, and returns the address of a place in it.
func Bucket(t testing.TB) (address string) {
	t.Helper()
	return Serve(t, New(t), "/parley")
}
