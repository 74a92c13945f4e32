package query

import "strings"

// nearest returns the known name closest to name, or an empty string. It has the least edit distance, case ignored,
// and that distance is at most a third of its characters.
func nearest(name string, known []string) string {
	best, least := "", 1<<30
	for _, k := range known {
		d := distance([]rune(strings.ToLower(name)), []rune(strings.ToLower(k)))
		if d < least && 3*d <= max(len([]rune(k)), 3) {
			best, least = k, d
		}
	}
	return best
}

// maxCompared is the length limit in characters of names that are compared; longer names match nothing.
const maxCompared = 100

// distance returns the number of insertions, deletions, substitutions and transpositions of neighbours that turn one
// name into the other (optimal string alignment).
func distance(a, b []rune) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return 1 << 20
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range b {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
	}
	return row[len(b)]
}

// suggestion returns the suffix of an error message that suggests the nearest known name.
func suggestion(name string, known []string) string {
	if n := nearest(name, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}
