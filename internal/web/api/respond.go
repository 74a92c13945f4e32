package api

import (
	"errors"
	"iter"
	"net/http"
	"strconv"

	"parley/internal/call/wire"
	"parley/internal/host/memory"
)

// writeJSON answers with a JSON body: one of a piece with its length, a larger one piece by piece. Each piece is made
// in a place of the account that asks, which is free again while the client takes it.
func writeJSON(w http.ResponseWriter, status int, body any) {
	rec, paced := w.(*pacedResponse)
	if !paced { // a test's
		rec = newPacedResponse(w, 0)
	}
	pull, stop := iter.Pull2(wire.Pieces(body)) // which panics on what JSON cannot hold; the recover middleware answers
	defer stop()
	next := func() (encoded, error) {
		return rendered(rec.work, func() (p encoded) {
			p.bytes, p.last, _ = pull()
			return p
		})
	}
	switch first, err := next(); {
	case err != nil: // the client has gone
		w.WriteHeader(statusGone)
	case first.last:
		write(w, status, "application/json", first.bytes)
	default:
		rec.stream(status, "application/json", first, next)
	}
}

// encoded is a piece of an answer. It is valid until the next one is made.
type encoded struct {
	bytes []byte
	last  bool
}

// writeSized is writeJSON for a body that may be large and that was made of small parts: it counts as memory of the
// request.
func writeSized(w http.ResponseWriter, r *http.Request, body any) error {
	if err := memory.Take(r.Context(), memory.Size(body)); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, body)
	return nil
}

// streamMemory is what an answer that is made while it is sent takes beside what it is made of: a piece, and buffers of
// package json.
const streamMemory = 3 * wire.PieceSize

// stream answers with a body that is made while it is sent: p, and the pieces that next returns. A client that does not
// get all of it sees the connection break.
func (rec *pacedResponse) stream(status int, contentType string, p encoded, next func() (encoded, error)) {
	if err := rec.await(streamMemory); err != nil {
		rec.refuse(err)
		return
	}
	rec.Header().Set("Content-Type", contentType)
	rec.WriteHeader(status)
	for {
		_, err := rec.Write(p.bytes)
		if errors.Is(err, http.ErrBodyNotAllowed) { // HEAD
			return
		}
		if err == nil {
			rec.moved()
			if p.last {
				return
			}
			p, err = next()
		}
		if err != nil {
			rec.abort()
		}
	}
}

// abort ends an answer of which the client does not get the rest: it left, was too slow, or was ended. It has read what
// it got.
func (rec *pacedResponse) abort() {
	if rec.visit != nil {
		rec.visit.begun = true
	}
	panic(http.ErrAbortHandler)
}

// write answers with a body in memory. What it takes was counted when it was made.
func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	if rec, ok := w.(*pacedResponse); ok && status < http.StatusBadRequest {
		if err := rec.await(0); err != nil {
			rec.refuse(err)
			return
		}
	}
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
