// Package asset serves the files of web pages that are embedded in the program.
//
// It does not know what the pages are.
package asset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// Files are files of pages in memory, by name. They are served as they are to browsers that keep to their policy.
type Files struct {
	policy string // the Content-Security-Policy
	files  map[string]file
}

// file is a file in memory: plain, or compressed only.
type file struct {
	plain, packed []byte
	tag           string
}

// Load reads the files of a folder, where NAME.gz is the compressed form of NAME and stands for it.
func Load(folder fs.FS, policy string) (*Files, error) {
	found := &Files{policy: policy, files: map[string]file{}}
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		body, err := fs.ReadFile(folder, e.Name())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		f := file{plain: body, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
		name, compressed := strings.CutSuffix(e.Name(), ".gz")
		if compressed {
			f.plain, f.packed = nil, body
		}
		found.files[name] = f
	}
	return found, nil
}

// Must is Load for folders that are embedded, which are complete or do not compile.
func Must(folder fs.FS, policy string) *Files {
	files, err := Load(folder, policy)
	if err != nil {
		panic(fmt.Sprintf("embedded files: %v", err))
	}
	return files
}

// Serve answers with a file, compressed for clients that can unpack it, or with 404. Browsers keep the file, and ask
// whether it is still the same.
func (a *Files) Serve(w http.ResponseWriter, r *http.Request, name string) {
	f, ok := a.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	header.Set("Content-Security-Policy", a.policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", f.tag)
	if f.packed != nil {
		header.Set("Vary", "Accept-Encoding")
	}
	if match := r.Header.Get("If-None-Match"); match != "" && strings.Contains(match, f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if body == nil {
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
			body = f.packed
		} else {
			body = unpack(f.packed)
		}
	}
	w.Write(body)
}

// unpack returns the contents of an embedded file, which was made by the build.
func unpack(packed []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	body, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return body
}
