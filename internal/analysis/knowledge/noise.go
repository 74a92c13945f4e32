package knowledge

import (
	_ "embed"
	"maps"
	"strings"

	"parley/internal/words/phrase"
)

//go:embed noise.txt
var noiseLines string

// noise is the set of words that are not keywords.
type noise struct {
	never map[string]bool // not even as part of a keyword
	alone map[string]bool
}

// readNoise reads words under the headings [never] and [alone]; lines that begin with # are comments.
func readNoise(text string) noise {
	n := noise{map[string]bool{}, map[string]bool{}}
	into := n.never
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"):
		case line == "[never]":
			into = n.never
		case line == "[alone]":
			into = n.alone
		default:
			maps.Copy(into, phrase.Set(line))
		}
	}
	return n
}
