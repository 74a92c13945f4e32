package asset_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"parley/internal/web/asset"
)

func folder() fstest.MapFS {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("let a = 1"))
	z.Close()
	return fstest.MapFS{"index.html": {Data: []byte("<p>")}, "app.js.gz": {Data: packed.Bytes()}}
}

func Example() {
	files := asset.Must(folder(), "default-src 'none'")
	answer := httptest.NewRecorder()
	files.Serve(answer, httptest.NewRequest("GET", "/app.js", nil), "app.js")
	fmt.Println(answer.Code, answer.Header().Get("Content-Security-Policy"), answer.Body)
	// Output: 200 default-src 'none' let a = 1
}

func get(name string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/"+name, nil)
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	asset.Must(folder(), "default-src 'none'").Serve(w, r, name)
	return w
}

func TestFilesArePackedForThoseWhoUnpackThem(t *testing.T) {
	t.Parallel()
	packed := get("app.js", map[string]string{"Accept-Encoding": "br, gzip"})
	if packed.Header().Get("Content-Encoding") != "gzip" || packed.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("%v", packed.Header())
	}
	if plain := get("app.js", nil); plain.Header().Get("Content-Encoding") != "" || plain.Body.String() != "let a = 1" {
		t.Errorf("%v %s", plain.Header(), plain.Body)
	}
	if w := get("app.js.gz", nil); w.Code != 404 {
		t.Errorf("the packed file has a name of its own: %d", w.Code)
	}
}

func TestAFileThatIsTheSameIsNotSentAgain(t *testing.T) {
	t.Parallel()
	tag := get("index.html", nil).Header().Get("ETag")
	if w := get("index.html", map[string]string{"If-None-Match": tag}); w.Code != 304 || w.Body.Len() > 0 {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
	if w := get("index.html", map[string]string{"If-None-Match": `"another"`}); w.Code != 200 {
		t.Errorf("%d", w.Code)
	}
	if other := get("app.js", nil).Header().Get("ETag"); other == tag || other == "" {
		t.Errorf("two files have the tag %s", tag)
	}
}
