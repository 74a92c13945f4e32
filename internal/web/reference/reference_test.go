package reference

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, path, encoding string) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /docs", Page)
	mux.HandleFunc("GET /docs/{file}", Asset)
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

func TestPageNeedsNoOtherHost(t *testing.T) {
	page := get(t, "/docs", "").Body.String()
	if strings.Contains(page, "//") {
		t.Errorf("the page names another host:\n%s", page)
	}
	files := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(files) < 4 {
		t.Fatalf("only %d files on the page", len(files))
	}
	for _, f := range files {
		for _, encoding := range []string{"gzip", ""} {
			w := get(t, "/"+f[1], encoding)
			if w.Code != 200 || w.Body.Len() < 100 || w.Header().Get("Content-Type") == "" {
				t.Errorf("%s (%q): %d, %d bytes, %s", f[1], encoding, w.Code, w.Body.Len(),
					w.Header().Get("Content-Type"))
			}
			if packed := w.Header().Get("Content-Encoding") == "gzip"; packed && encoding == "" {
				t.Errorf("%s is packed for a client that cannot unpack", f[1])
			}
		}
	}
}

func TestUnknownFileIsNotFound(t *testing.T) {
	if w := get(t, "/docs/..%2freference.go", ""); w.Code != 404 {
		t.Errorf("got %d", w.Code)
	}
}
