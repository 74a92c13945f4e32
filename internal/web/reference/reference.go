// Package reference serves the API reference as a web page on which requests can be tried.
//
// The page is swagger-ui-dist 5.35.0 (Apache-2.0, see assets). It is embedded and served only from this server: the
// browser contacts no other host. Package openapi has the description itself.
package reference

import (
	"embed"
	"io/fs"
	"net/http"
	"path"

	"parley/internal/web/asset"
)

//go:embed assets
var embedded embed.FS

// policy allows the page to load from and call only this server. The page uses inline styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

var files = asset.Must(assets(), policy)

func assets() fs.FS {
	folder, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return folder
}

// Page serves the HTML page.
func Page(w http.ResponseWriter, r *http.Request) { files.Serve(w, r, "index.html") }

// Asset serves the page's file named by the path value "file".
func Asset(w http.ResponseWriter, r *http.Request) { files.Serve(w, r, path.Base(r.PathValue("file"))) }
