package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/internal/call/definition"
)

// versionTag is the entity tag of a version.
func versionTag(version int64) string { return `"` + strconv.FormatInt(version, 36) + `"` }

// unconditional reports whether a change is to be made whatever there is.
func unconditional(r *http.Request) bool {
	return r.Header.Get("If-Match") == "" && r.Header.Get("If-None-Match") == ""
}

// fulfilled reports whether what is there, or definition.Absent, is as If-Match and If-None-Match say
// (RFC 9110, 13.1). If-Match compares strongly: a weak tag matches nothing.
func fulfilled(r *http.Request, version int64) bool {
	if match := r.Header.Values("If-Match"); len(match) > 0 && !listed(match, version) {
		return false
	}
	return noneMatch(r, version)
}

// noneMatch reports whether what is there is not as If-None-Match says, which compares weakly.
func noneMatch(r *http.Request, version int64) bool {
	none := slices.Clone(r.Header.Values("If-None-Match"))
	for i := range none {
		none[i] = strings.ReplaceAll(none[i], `W/"`, `"`)
	}
	return len(none) == 0 || !listed(none, version)
}

// known reports whether a client that reads has this version already.
func known(r *http.Request, version int64) bool {
	return r.Header.Get("If-None-Match") != "" && !noneMatch(r, version)
}

// listed reports whether a version is among entity tags; * means whatever there is.
func listed(lists []string, version int64) bool {
	for _, tag := range strings.Split(strings.Join(lists, ","), ",") {
		tag = strings.TrimSpace(tag)
		if version != definition.Absent && (tag == "*" || tag == versionTag(version)) {
			return true
		}
	}
	return false
}
