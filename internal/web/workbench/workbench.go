// Package workbench serves the pages of the workbench, on which people listen to calls, ask questions about them and
// save categories.
//
// The pages are a client of the API. Their sources are in web/src; make web makes the files in dist, which are embedded.
// The browser contacts no other host.
package workbench

import (
	"embed"
	"io/fs"
	"net/http"
	"path"

	"parley/internal/web/asset"
)

//go:embed dist
var embedded embed.FS

// policy lets the pages load from and call only this server, and run only scripts that are its files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"media-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

var files = asset.Must(dist(), policy)

func dist() fs.FS {
	folder, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return folder
}

// Page serves the HTML page, which is the same for all addresses of the workbench: the rest of them is behind #.
func Page(w http.ResponseWriter, r *http.Request) { files.Serve(w, r, "index.html") }

// File serves the page's file named by the path value "asset".
func File(w http.ResponseWriter, r *http.Request) { files.Serve(w, r, path.Base(r.PathValue("asset"))) }
