package api

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"parley/internal/words/media"
)

// idElement matches an id assigned by the server.
var idElement = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// about returns the log attributes of a request. They contain no names chosen by customers, no tokens and no queries.
func (s *Server) about(r *http.Request) []slog.Attr {
	v := visitOf(r.Context())
	remote := v.event.Remote
	if remote == "" {
		remote = s.remote(r)
	}
	attrs := []slog.Attr{
		slog.String("reference", referenceOf(r.Context())), slog.String("method", knownMethod(r.Method)),
		slog.String("route", routeOf(r.Pattern)), slog.String("path", s.loggable(r.URL.Path)),
		slog.String("remote", remote),
	}
	if v.event.Account != "" {
		attrs = append(attrs, slog.String("account", string(v.event.Account)))
	}
	if v.event.Token != "" {
		attrs = append(attrs, slog.String("token", v.event.Token)) // the id of the token
	}
	return attrs
}

// routeOf returns the path of a route's pattern; empty if no route matches.
func routeOf(pattern string) string {
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return strings.TrimSuffix(pattern, "/")
}

// loggable returns a path as the log may contain it: fixed elements of routes and ids stay, names are replaced by the
// names of the route's parameters. Elements that belong to no route are dropped, since they could be a token, a name or
// a text.
func (s *Server) loggable(path string) string {
	elements, routes := strings.Split(path, "/"), s.paths
	for i, e := range elements {
		shown := ""
		routes = slices.DeleteFunc(slices.Clone(routes), func(route []string) bool {
			switch {
			case i >= len(route):
				return true
			case route[i] == e:
				shown = e
			case e == "" || !strings.HasPrefix(route[i], "{"):
				return true
			case shown == "" && strings.HasSuffix(route[i], "Id}") && idElement.MatchString(e):
				shown = e
			case shown == "":
				shown = route[i]
			}
			return false
		})
		if elements[i] = shown; len(routes) == 0 {
			elements[i] = "…"
			return strings.Join(elements[:i+1], "/")
		}
	}
	return strings.Join(elements, "/")
}

// accepted logs that a recording was accepted for processing.
func (s *Server) accepted(ctx context.Context, m *media.Media, sub submission, again bool) {
	attrs := []slog.Attr{
		slog.String("reference", referenceOf(ctx)), slog.String("media", string(m.ID)),
		slog.String("account", string(m.Account)), slog.Bool("again", again),
		slog.Bool("mediaUrl", sub.MediaURL != ""), slog.Bool("transcript", len(sub.Transcript) > 0),
	}
	if sub.Media != nil {
		attrs = append(attrs, slog.Int64("bytes", sub.Media.Size))
	}
	s.Log.LogAttrs(ctx, slog.LevelInfo, "recording accepted", attrs...)
}
