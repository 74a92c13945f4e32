package api

import (
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley/internal/call/wire"
	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// statuses maps kinds of errors to HTTP statuses.
var statuses = map[fault.Kind]int{
	fault.Internal:     http.StatusInternalServerError,
	fault.Invalid:      http.StatusBadRequest,
	fault.Unauthorized: http.StatusUnauthorized,
	fault.Forbidden:    http.StatusForbidden,
	fault.NotFound:     http.StatusNotFound,
	fault.Conflict:     http.StatusConflict,
	fault.TooLarge:     http.StatusRequestEntityTooLarge,
	fault.Unsupported:  http.StatusUnsupportedMediaType,
	fault.Exhausted:    http.StatusTooManyRequests,
	fault.Unavailable:  http.StatusServiceUnavailable,
}

// statusOf returns the HTTP status of an error. Some statuses have no kind of their own.
func statusOf(err error) int {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		switch e.Problems[0].Code {
		case fault.CodeMethod:
			return http.StatusMethodNotAllowed
		case fault.CodeNotAcceptable:
			return http.StatusNotAcceptable
		case fault.CodePrecondition:
			return http.StatusPreconditionFailed
		case fault.CodeRange:
			return http.StatusRequestedRangeNotSatisfiable
		case fault.CodeTimeout:
			return http.StatusRequestTimeout
		}
	}
	return statuses[fault.KindOf(err)]
}

// statusGone is logged for requests whose client no longer waits for the answer.
const statusGone = 499

// usualWait is the Retry-After time when no better value is known.
const usualWait = 5 * time.Second

// retryAfter formats a wait in whole seconds.
func retryAfter(wait time.Duration) string {
	if wait <= 0 {
		wait = usualWait
	}
	return strconv.Itoa(int(math.Ceil(wait.Seconds())))
}

// fail answers with an error: the common error body, and the headers that HTTP requires. The log entry has the
// reference that the client sees and, for client errors, only the codes, since messages may quote the request.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	if r.Context().Err() != nil && status != http.StatusRequestTimeout { // slow clients are still connected
		w.WriteHeader(statusGone)
		return
	}
	header := w.Header()
	switch status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="parley"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", retryAfter(visitOf(r.Context()).retry))
	case http.StatusRequestEntityTooLarge, http.StatusRequestTimeout:
		header.Set("Connection", "close") // the rest of the body is not read
	}
	problems := publicProblems(err)
	if status >= http.StatusInternalServerError {
		s.Log.LogAttrs(r.Context(), slog.LevelError, "request failed",
			append(s.about(r), slog.Int("status", status), slog.String("error", err.Error()))...)
	} else {
		level := slog.LevelInfo
		if status == http.StatusTooManyRequests { // clients that exceed the rate limit must not fill the log
			level = slog.LevelDebug
		}
		if s.Log.Enabled(r.Context(), level) {
			s.Log.LogAttrs(r.Context(), level, "request refused",
				append(s.about(r), slog.Int("status", status), slog.Any("codes", codes(problems)))...)
		}
	}
	for _, name := range []string{"ETag", "Content-Length", "Content-Encoding", "Last-Modified",
		"Content-Disposition"} {
		header.Del(name)
	}
	header.Set("Cache-Control", "no-store")
	writeJSON(w, status, wire.NewFailure(status, problems, referenceOf(r.Context())))
}

// publicProblems returns the problems as a client may see them. The reason why storage or the database is unavailable
// goes only to the log: it may name hosts and users.
func publicProblems(err error) []fault.Problem {
	problems := fault.ProblemsOf(err)
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || e.Kind != fault.Unavailable || e.Unwrap() == nil {
		return problems
	}
	text := strings.TrimSuffix(problems[0].Message, ": "+e.Unwrap().Error())
	return []fault.Problem{{Code: problems[0].Code, Message: text + "; try again later"}}
}

func codes(problems []fault.Problem) []int {
	return list.Map(problems, func(p fault.Problem) int { return p.Code })
}

// noSuchAPI answers requests for unknown paths.
func (s *Server) noSuchAPI(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, fault.New(fault.NotFound, fault.CodeNoSuchAPI, "no such API: %s; see /docs", r.URL.Path))
}
