package api

import (
	"net/http"
	"strconv"

	"parley/internal/wire"
)

// writeJSON answers with a JSON body and its length.
func writeJSON(w http.ResponseWriter, status int, body any) {
	encoded, err := wire.Marshal(body)
	if err != nil {
		panic(err) // a shape of ours that JSON cannot hold; the recover middleware answers
	}
	write(w, status, "application/json", encoded)
}

// write answers with a body in memory.
func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

// judged lets a handler of another package answer what succeeds, and holds back what fails, so that the
// error gets the body that all errors have.
type judged struct {
	http.ResponseWriter
	refused int // status that was held back; 0: none
}

func (j *judged) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		j.refused = status
		return
	}
	j.ResponseWriter.WriteHeader(status)
}

func (j *judged) Write(p []byte) (int, error) {
	if j.refused != 0 {
		return len(p), nil
	}
	return j.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (j *judged) Unwrap() http.ResponseWriter { return j.ResponseWriter }
