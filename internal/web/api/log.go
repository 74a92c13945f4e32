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

// idElement is an id that the server gave.
var idElement = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// about is what the log says of a request. Names that customers give, tokens and queries are not in it.
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
		attrs = append(attrs, slog.String("token", v.event.Token)) // its id
	}
	return attrs
}

// routeOf returns the path of a route's pattern; empty where no route fits.
func routeOf(pattern string) string {
	if _, path, found := strings.Cut(pattern, " "); found {
		return path
	}
	return strings.TrimSuffix(pattern, "/")
}

// loggable returns a path as the log may have it: what routes have of it, with ids, but with the parameters of routes
// in place of names. The rest of a path that no route has could be a token, a name or a text.
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

// accepted logs that a recording will be processed.
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
