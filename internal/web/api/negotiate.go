package api

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"parley/internal/call/caption"
)

// wantsOnlyJSON reports whether a client sends "Accept: application/json" and nothing else, as the generated clients
// do. Some answers have a different shape for them.
func wantsOnlyJSON(r *http.Request) bool {
	return strings.EqualFold(strings.TrimSpace(r.Header.Get("Accept")), "application/json")
}

// negotiate chooses the format of the transcript from the Accept header. The highest quality wins. Among equals, JSON
// wins if it is named, since clients that can read it list other types as a fallback; otherwise the first one wins. ok
// is false if no supported format is accepted.
func negotiate(accept string) (f caption.Format, ok bool) {
	if strings.TrimSpace(accept) == "" {
		return caption.JSON, true
	}
	best := 0.0
	for _, item := range strings.Split(accept, ",") {
		kind, params, err := mime.ParseMediaType(strings.TrimSpace(item))
		if err != nil {
			continue
		}
		format, known := caption.Accepted(kind)
		q := quality(params)
		if known && (q > best || q == best && ok && kind == caption.JSON.ContentType()) {
			f, ok, best = format, true, q
		}
	}
	return f, ok
}

func quality(params map[string]string) float64 {
	q, given := params["q"]
	if !given {
		return 1
	}
	value, err := strconv.ParseFloat(q, 64)
	if err != nil {
		return 0
	}
	return value
}
