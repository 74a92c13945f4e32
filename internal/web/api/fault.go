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
)

// statuses is the one table from kinds of failure to HTTP.
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

// statusOf returns the HTTP status of an error. Some are kinds of their own in HTTP only.
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

// statusGone is noted for requests whose client does not wait for the answer any more.
const statusGone = 499

// usualWait is how long a client waits before it asks again, where nothing else is known.
const usualWait = 5 * time.Second

// retryAfter writes a time to wait in whole seconds.
func retryAfter(wait time.Duration) string {
	if wait <= 0 {
		wait = usualWait
	}
	return strconv.Itoa(int(math.Ceil(wait.Seconds())))
}

// fail answers with an error: the body every endpoint has, and what HTTP wants beside it. The log has the
// reference that the client sees; of what a request did wrong it has the codes, since messages may quote it.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusOf(err)
	if r.Context().Err() != nil && status != http.StatusRequestTimeout { // slow clients are still there
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
	problems := told(err)
	if status >= http.StatusInternalServerError {
		s.Log.LogAttrs(r.Context(), slog.LevelError, "request failed",
			append(s.about(r), slog.Int("status", status), slog.String("error", err.Error()))...)
	} else {
		level := slog.LevelInfo
		if status == http.StatusTooManyRequests { // whoever sends too many must not fill the log
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

// told returns the problems as a client may read them. What made storage or the database unavailable is
// for the log: it may name hosts and users.
func told(err error) []fault.Problem {
	problems := fault.ProblemsOf(err)
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || e.Kind != fault.Unavailable || e.Unwrap() == nil {
		return problems
	}
	text := strings.TrimSuffix(problems[0].Message, ": "+e.Unwrap().Error())
	return []fault.Problem{{Code: problems[0].Code, Message: text + "; try again later"}}
}

func codes(problems []fault.Problem) []int {
	list := make([]int, len(problems))
	for i, p := range problems {
		list[i] = p.Code
	}
	return list
}

// noSuchAPI answers for paths that do not exist.
func (s *Server) noSuchAPI(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, fault.New(fault.NotFound, fault.CodeNoSuchAPI, "no such API: %s; see /docs", r.URL.Path))
}
