// Package reference serves the API reference as a web page on which requests can be tried.
//
// The page is swagger-ui-dist 5.35.0 (Apache-2.0, see assets). It is embedded and served only from this server: the
// browser contacts no other host. Package openapi has the description itself.
package reference

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var assets embed.FS

// policy allows the page to load from and call only this server. The page uses inline styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

// Page serves the HTML page.
func Page(w http.ResponseWriter, r *http.Request) { serve(w, r, "index.html") }

// Asset serves the page's file named by the path value "file".
func Asset(w http.ResponseWriter, r *http.Request) { serve(w, r, path.Base(r.PathValue("file"))) }

func serve(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	body, err := assets.ReadFile("assets/" + name)
	if packed, err2 := assets.ReadFile("assets/" + name + ".gz"); err2 == nil {
		body, err = packed, nil
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
		} else {
			body, err = unpack(packed)
		}
		header.Set("Vary", "Accept-Encoding")
	}
	if err != nil {
		http.NotFound(w, r)
		return
	}
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	w.Write(body)
}

func unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
