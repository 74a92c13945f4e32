package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"parley/internal/words/fault"
)

type referenceKey struct{}

// referenceOf returns the identifier of the request, which appears in errors, logs and X-Request-Id.
func referenceOf(ctx context.Context) string {
	reference, _ := ctx.Value(referenceKey{}).(string)
	return reference
}

// withReference assigns each request an identifier, and sets headers that keep browsers from sniffing content types,
// caching answers and running them as pages. Handlers of pages and streams override the headers.
func withReference(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reference := uuid.NewString()
		header := w.Header()
		header.Set("X-Request-Id", reference)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), referenceKey{}, reference)))
	})
}

// answerStep is how many bytes of an answer a client has to read within Config.DownloadTime.
const answerStep = 64 << 10

// pacedResponse cuts off clients that do not read their answer in time. It records the status, and lets clients finish
// sending when they are refused during an upload.
type pacedResponse struct {
	http.ResponseWriter
	connection *http.ResponseController
	patience   time.Duration // time limit for each answerStep
	status     int
	rest       *pacedBody // the request's body; nil without one
	lingers    bool
	zips       bool // answers are compressed

	work    context.Context // context of the request, with the account that processor time is charged to
	visit   *visit          // the request's record; nil if none is kept
	refuse  func(error)     // answers with an error when there is no memory for the answer
	held    atomic.Bool     // the answer is being written: the request waits for the client to read it
	stopped atomic.Bool     // the server no longer waits for the client
}

func newPacedResponse(w http.ResponseWriter, patience time.Duration) *pacedResponse {
	connection := http.NewResponseController(w)
	return &pacedResponse{ResponseWriter: w, connection: connection, patience: patience, work: context.Background()}
}

func (rec *pacedResponse) WriteHeader(status int) {
	if rec.status == 0 {
		rec.status = status
		if rec.lingers = status >= http.StatusBadRequest && (rec.rest.long() || rec.rest.partly()); rec.lingers {
			rec.Header().Set("Connection", "close")
			rec.connection.EnableFullDuplex() // otherwise net/http closes the body before the answer
		}
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *pacedResponse) Write(p []byte) (int, error) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	for written := 0; ; {
		rec.connection.SetWriteDeadline(time.Now().Add(rec.patience)) // fails only on the connections of tests
		// stop may have run before the deadline was set
		if rec.stopped.Load() {
			rec.connection.SetWriteDeadline(time.Now())
			return written, os.ErrDeadlineExceeded
		}
		n, err := rec.ResponseWriter.Write(p[written:min(written+answerStep, len(p))])
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
		rec.moved()
	}
}

// await begins the answer: from now on the request waits for its client and holds the given number of additional bytes.
func (rec *pacedResponse) await(bytes int64) error {
	if rec.visit == nil {
		return nil
	}
	if err := rec.visit.hold.take(bytes); err != nil {
		return err
	}
	rec.held.Store(true)
	return rec.visit.hold.read(true)
}

// moved records that the client has read a part of the answer.
func (rec *pacedResponse) moved() {
	if rec.held.Load() {
		rec.visit.hold.read(true)
	}
}

// stop ends the wait for the client: for the rest of the body or, if the answer is being written, for the client to
// read it.
func (rec *pacedResponse) stop() {
	if !rec.held.Load() {
		rec.rest.stop()
		return
	}
	rec.stopped.Store(true)
	rec.connection.SetWriteDeadline(time.Now())
}

// Unwrap gives http.ResponseController access to the connection.
func (rec *pacedResponse) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

// observed logs and counts every request, and converts a panic into an error. Paths are logged without their query,
// which may contain signatures and search words.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, rec := time.Now(), newPacedResponse(w, s.DownloadTime)
		rec.connection.SetWriteDeadline(time.Time{}) // the deadline of the previous request on the connection
		if r.Body != nil && r.Body != http.NoBody {
			rec.connection.SetReadDeadline(start.Add(s.UploadTime)) // applies to a body that no handler reads
			rec.rest = newPacedBody(rec.connection, r, s.UploadTime)
			r.Body = rec.rest
		}
		defer func() {
			p := recover()
			if p != nil && p != http.ErrAbortHandler {
				s.Log.Error("panic", "reference", referenceOf(r.Context()), "panic", fmt.Sprint(p), "stack",
					string(debug.Stack()))
				if rec.status == 0 {
					s.fail(rec, r, fault.New(fault.Internal, fault.CodeInternal, "panic"))
				} else {
					p = http.ErrAbortHandler
				}
			}
			took := time.Since(start)
			s.metrics.request(routeOf(r.Pattern), r.Method, rec.status, took)
			if s.Log.Enabled(r.Context(), slog.LevelDebug) {
				s.Log.LogAttrs(r.Context(), slog.LevelDebug, "request",
					append(s.about(r), slog.Int("status", rec.status), slog.Duration("took", took))...)
			}
			if rec.lingers && rec.connection.Flush() == nil {
				rec.rest.discard(s.Stopping)
			}
			if p == http.ErrAbortHandler { // ends the connection: a partial answer must not look complete
				panic(p)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// withCORS allows the configured origins to call the API from a browser.
func (s *Server) withCORS(next http.Handler) http.Handler {
	if len(s.Origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		w.Header().Add("Vary", "Origin")
		if origin != "" && (slices.Contains(s.Origins, "*") || slices.Contains(s.Origins, origin)) {
			header := w.Header()
			header.Set("Access-Control-Allow-Origin", origin)
			header.Set("Access-Control-Expose-Headers",
				"ETag, Content-Range, Accept-Ranges, X-Request-Id, Location, Parley-Not-Indexed, Peaks-Start")
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
				header.Set("Access-Control-Allow-Headers",
					"Authorization, Content-Type, If-Match, If-None-Match, Range, Idempotency-Key")
				header.Set("Access-Control-Max-Age", "600")
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// withoutTrailingSlash serves /v3/media/ as /v3/media, leads / and /ui to the pages of the workbench, whose links are
// relative to /ui/, and /docs/ to the API reference, whose links are relative to /docs. The redirects are relative, so
// that they work behind a proxy that serves Parley under a path prefix.
func withoutTrailingSlash(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/docs/":
			w.Header().Set("Location", "../docs")
			w.WriteHeader(http.StatusPermanentRedirect)
			return
		case r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			w.Header().Set("Location", "ui/")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		case r.URL.Path == "/ui":
			w.Header().Set("Location", "ui/")
			w.WriteHeader(http.StatusPermanentRedirect)
			return
		}
		if p := r.URL.Path; len(p) > 1 && strings.HasSuffix(p, "/") && strings.HasPrefix(p, "/v3") {
			r2 := r.Clone(r.Context())
			r2.URL.Path, r2.URL.RawPath = strings.TrimRight(p, "/"), ""
			r = r2
		}
		next.ServeHTTP(w, r)
	})
}
