package jsondoc

import (
	"strings"

	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// advice suggests a replacement for an unknown key: a similar key of this object, else the same key elsewhere in the
// shape, else the list of known keys.
func advice(name string, here, root Shape) string {
	if near := nearest(name, here); near != "" {
		return "did you mean \"" + near + "\"?"
	}
	for _, path := range root.Paths() {
		for i, step := range strings.Split(path, ".") {
			if strings.EqualFold(strings.TrimRight(step, "[]"), name) {
				return "did you mean " + strings.Join(strings.Split(path, ".")[:i+1], ".") + "?"
			}
		}
	}
	names := list.Map(here.fields, func(f Field) string { return f.Name })
	return "the known properties are " + strings.Join(names, ", ")
}

// nearest returns the key of the shape with the smallest edit distance to name, "" if none is close.
func nearest(name string, s Shape) string {
	best, least := "", 1+max(min(2, len(name)/2), len(name)/4)
	for _, f := range s.fields {
		if d := fault.Distance(strings.ToLower(name), strings.ToLower(f.Name)); d < least {
			best, least = f.Name, d
		}
	}
	return best
}
