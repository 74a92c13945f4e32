package api

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"parley/internal/call/caption"
)

// wantsOnlyJSON reports whether a client sends "Accept: application/json" and nothing else, as the generated
// clients do; some answers have another shape for them.
func wantsOnlyJSON(r *http.Request) bool {
	return strings.EqualFold(strings.TrimSpace(r.Header.Get("Accept")), "application/json")
}

// negotiate chooses the transcript's form from the Accept header: the best quality wins; among equals JSON where it is
// named, since clients that can read it name others as a last resort, else the first. ok is false when
// nothing that we have is accepted.
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
