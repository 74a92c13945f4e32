package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/internal/call/definition"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
)

// versionTag is the entity tag of a version.
func versionTag(version int64) string { return `"` + strconv.FormatInt(version, 36) + `"` }

// unconditional reports whether a request carries no precondition, so that its change applies to any state.
func unconditional(r *http.Request) bool {
	return r.Header.Get("If-Match") == "" && r.Header.Get("If-None-Match") == ""
}

// fulfilled reports whether the current version, or definition.Absent, satisfies If-Match and If-None-Match (RFC 9110,
// 13.1). If-Match uses the strong comparison: a weak tag matches nothing.
func fulfilled(r *http.Request, version int64) bool {
	if match := r.Header.Values("If-Match"); len(match) > 0 && !listed(match, version) {
		return false
	}
	return noneMatch(r, version)
}

// noneMatch reports whether the current version satisfies If-None-Match, which uses the weak comparison.
func noneMatch(r *http.Request, version int64) bool {
	none := slices.Clone(r.Header.Values("If-None-Match"))
	for i := range none {
		none[i] = strings.ReplaceAll(none[i], `W/"`, `"`)
	}
	return len(none) == 0 || !listed(none, version)
}

// change runs a change of a resource, passing the version that the request's preconditions expect: the version that
// present returns, or definition.Any without preconditions.
func (s *Server) change(r *request, what string, present func(*store.Tx) (int64, error),
	f func(tx *store.Tx, expected int64) error) error {
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		if unconditional(r.Request) {
			return f(tx, definition.Any)
		}
		version, err := present(tx)
		if err != nil {
			return err
		}
		if !fulfilled(r.Request, version) {
			return fault.New(fault.Conflict, fault.CodePrecondition,
				"the current version of the %s does not satisfy If-Match or If-None-Match; read it again", what)
		}
		return f(tx, version)
	})
}

// known reports whether the client that reads already has this version.
func known(r *http.Request, version int64) bool {
	return r.Header.Get("If-None-Match") != "" && !noneMatch(r, version)
}

// listed reports whether entity tags contain a version; * stands for any existing version.
func listed(lists []string, version int64) bool {
	for _, tag := range strings.Split(strings.Join(lists, ","), ",") {
		tag = strings.TrimSpace(tag)
		if version != definition.Absent && (tag == "*" || tag == versionTag(version)) {
			return true
		}
	}
	return false
}

// has reports whether the client that reads already has the answer with an entity tag.
func has(r *http.Request, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == "*" || one == tag {
			return true
		}
	}
	return false
}
