package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// writeJSON answers with a JSON body and its length.
func writeJSON(w http.ResponseWriter, status int, body any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic(err) // a shape of ours that JSON cannot hold; the recover middleware answers
	}
	write(w, status, "application/json", b.Bytes())
}

// write answers with a body in memory.
func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}
