// Package reference serves the API reference as a web page in which requests can be tried out.
//
// The page is swagger-ui-dist 5.35.0 (Apache-2.0, see assets), embedded and served from here alone: a
// browser that shows it calls no other host. The description itself is package openapi's.
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

// policy lets the page load and call nothing but this server. The page's own styles are inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

// Page serves the page itself.
func Page(w http.ResponseWriter, r *http.Request) { serve(w, r, "index.html") }

// Asset serves the page's files by the path value "file".
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
