// Package s3test is S3 in memory, on loopback, for tests. The bucket is called calls and is empty at first.
//
// It checks no signatures; a test that needs that judges requests itself.
package s3test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// New returns what answers as S3 does.
func New(t testing.TB) http.Handler {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("calls"); err != nil {
		t.Fatal(err)
	}
	return gofakes3.New(backend).Server()
}

// Serve has a handler answer in place of S3 until the test ends, and returns the address of its bucket, below a prefix
// such as /parley or empty. The credentials are in the environment, as in a deployment.
func Serve(t testing.TB, h http.Handler, prefix string) (address string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	Credentials(t)
	return "s3://calls" + prefix + "?region=us-east-1&path_style=true&endpoint=" + server.URL
}

// Credentials sets those that a deployment would.
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
