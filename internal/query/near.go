package query

import (
	"strings"

	"parley/internal/words/fault"
)

// nearest returns the known name closest to name, or an empty string. It has the least edit distance, case ignored,
// and that distance is at most a third of its characters.
func nearest(name string, known []string) string {
	best, least := "", 1<<30
	for _, k := range known {
		d := fault.Distance(strings.ToLower(name), strings.ToLower(k))
		if d < least && 3*d <= max(len([]rune(k)), 3) {
			best, least = k, d
		}
	}
	return best
}

// suggestion returns the suffix of an error message that suggests the nearest known name.
func suggestion(name string, known []string) fix {
	if n := nearest(name, known); n != "" {
		return fix{text: "; did you mean " + n + "?", put: n}
	}
	return fix{}
}
