package api

import (
	"context"
	"errors"
	"iter"
	"mime"
	"net/http"
	"strconv"

	"parley/internal/call/wire"
	"parley/internal/host/memory"
)

// writeJSON answers with a JSON body: a body of a single piece with its length, a larger one piece by piece. Each piece
// is rendered in a processor slot of the account, which is free while the client reads the piece.
func writeJSON(w http.ResponseWriter, status int, body any) {
	rec, paced := w.(*pacedResponse)
	if !paced { // only in tests
		rec = newPacedResponse(w, 0)
	}
	// Panics on values that JSON cannot represent; the recover middleware answers.
	pull, stop := iter.Pull2(wire.Pieces(body))
	defer stop()
	next := func() (chunk, error) {
		return rendered(rec.work, func() (p chunk) {
			p.bytes, p.last, _ = pull()
			return p
		})
	}
	switch first, err := next(); {
	case err != nil: // the client has disconnected
		w.WriteHeader(statusGone)
	case first.last:
		write(w, status, "application/json", first.bytes)
	default:
		rec.stream(status, "application/json", first, next)
	}
}

// chunk is a part of an answer. It is valid until the next one is made.
type chunk struct {
	bytes []byte
	last  bool
}

// sized returns a body that may be large although it is made of small parts. It counts towards the memory of the
// request.
func sized(ctx context.Context, body any) (any, error) {
	return body, memory.Take(ctx, memory.Size(body))
}

// streamMemory is the memory that a streamed answer needs in addition to its source: one piece, and the buffers of
// package json.
const streamMemory = 3 * wire.PieceSize

// stream answers with a body that is rendered while it is sent: p, followed by the pieces that next returns. If the
// body cannot be completed, the client sees the connection break.
func (rec *pacedResponse) stream(status int, contentType string, p chunk, next func() (chunk, error)) {
	needed, zips := int64(streamMemory), rec.zips && status < http.StatusBadRequest
	if zips {
		needed += zipMemory
	}
	if err := rec.await(needed); err != nil {
		rec.refuse(err)
		return
	}
	rec.Header().Set("Content-Type", contentType)
	if zips {
		next = rec.zipped(p, next)
		var err error
		if p, err = next(); err != nil { // the client has disconnected
			rec.WriteHeader(statusGone)
			return
		}
		rec.Header().Set("Content-Encoding", "gzip")
	}
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

// abort breaks off an answer that cannot be completed, because the client disconnected, was too slow, or was ended. The
// client has already received a part of it.
func (rec *pacedResponse) abort() {
	if rec.visit != nil {
		rec.visit.begun = true
	}
	panic(http.ErrAbortHandler)
}

// write answers with a body in memory, which was accounted for when it was made.
func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	if rec, ok := w.(*pacedResponse); ok && rec.zips && status < http.StatusBadRequest && len(body) >= zipFrom &&
		compressible(contentType) {
		zipped, err := rec.zip(body)
		if err != nil {
			rec.refuse(err)
			return
		}
		body = zipped
		w.Header().Set("Content-Encoding", "gzip")
	}
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

// attach makes browsers save the answer as a file.
func attach(w http.ResponseWriter, filename string) {
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filename}))
}

// failureFilter passes on successful answers from a handler of another package, but holds back failures, so that errors
// have the common error body.
type failureFilter struct {
	http.ResponseWriter
	refused int // status held back; 0: none
}

func (f *failureFilter) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		f.refused = status
		return
	}
	f.ResponseWriter.WriteHeader(status)
}

func (f *failureFilter) Write(p []byte) (int, error) {
	if f.refused != 0 {
		return len(p), nil
	}
	return f.ResponseWriter.Write(p)
}

// Unwrap gives http.ResponseController access to the connection.
func (f *failureFilter) Unwrap() http.ResponseWriter { return f.ResponseWriter }
