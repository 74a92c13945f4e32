package punctuation

import (
	_ "embed"
	"strings"
)

// Names maps proper names to their spelling.
type Names struct {
	forms map[string]string // by folded word
}

// NewNames builds Names from lists of names separated by white space; lines that begin with # are comments. If names
// differ in case only, the first one counts.
func NewNames(lists ...string) *Names {
	n := &Names{map[string]string{}}
	for _, list := range lists {
		for line := range strings.Lines(list) {
			if !strings.HasPrefix(line, "#") {
				n.add(strings.Fields(line))
			}
		}
	}
	return n
}

func (n *Names) add(names []string) {
	for _, name := range names {
		if _, known := n.forms[fold(name)]; !known {
			n.forms[fold(name)] = name
		}
	}
}

// ambiguous are names that are also other words. They count as names only next to a number, or after a word that
// precedes dates.
var (
	ambiguous = set("may march")
	dating    = set("in of since until till by last next this early late mid")
)

// written returns the spelling of word i inside a sentence.
func (n *Names) written(words []string, i int) string {
	word := words[i]
	name, possessive := strings.CutSuffix(word, "'s")
	form, known := n.forms[name]
	switch {
	case !known || ambiguous[name] && !dated(words, i):
		return word
	case possessive:
		return form + "'s"
	}
	return form
}

// dated reports whether a month is plausible at word i.
func dated(words []string, i int) bool {
	before := wordAt(words, i-1)
	return dating[before] || class(before) == "#number" || class(wordAt(words, i+1)) == "#number"
}

//go:embed names.txt
var learntNames string

//go:embed known.txt
var knownNames string
