package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/fault"
)

type referenceKey struct{}

// referenceOf returns the identifier of the request, which stands in errors, logs and X-Request-Id.
func referenceOf(ctx context.Context) string {
	reference, _ := ctx.Value(referenceKey{}).(string)
	return reference
}

// withReference gives each request an identifier.
func withReference(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reference := uuid.NewString()
		w.Header().Set("X-Request-Id", reference)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), referenceKey{}, reference)))
	})
}

// recorder notes the status that a handler answered with.
type recorder struct {
	http.ResponseWriter
	status int
}

func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 {
		rec.status = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *recorder) Write(p []byte) (int, error) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	return rec.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

// observed logs and counts every request and turns a panic into an error. Paths are logged without
// their query, which may hold signatures and search words.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, rec := time.Now(), &recorder{ResponseWriter: w}
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				s.Log.Error("panic", "reference", referenceOf(r.Context()), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				if rec.status == 0 {
					s.fail(rec, r, fault.New(fault.Internal, fault.CodeInternal, "panic"))
				}
			}
			took := time.Since(start)
			s.metrics.request(r.Pattern, r.Method, rec.status, took)
			s.Log.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("reference", referenceOf(r.Context())),
				slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status), slog.Duration("took", took))
		}()
		next.ServeHTTP(rec, r)
	})
}

// withCORS lets the configured origins call the API from a browser.
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
			header.Set("Access-Control-Expose-Headers", "ETag, Content-Range, Accept-Ranges, X-Request-Id, Location")
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE")
				header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Match, If-None-Match, Range, Idempotency-Key")
				header.Set("Access-Control-Max-Age", "600")
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// withoutTrailingSlash serves /v3/media/ as /v3/media.
func withoutTrailingSlash(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := r.URL.Path; len(p) > 1 && strings.HasSuffix(p, "/") && strings.HasPrefix(p, "/v3") {
			r2 := r.Clone(r.Context())
			r2.URL.Path, r2.URL.RawPath = strings.TrimRight(p, "/"), ""
			r = r2
		}
		next.ServeHTTP(w, r)
	})
}
