package knowledge

import (
	"math"
	"strings"
)

// reading is a possible lemma of a word form, with its frequency per word class.
type reading struct {
	lemma           string
	noun, verb, adj float64 // frequencies, 0 or more
}

// endings are the suffixes of regular inflections and their replacements, after WordNet's morphy (Miller and others,
// wndb 5WN).
var (
	nounEndings = [][2]string{{"ies", "y"}, {"ches", "ch"}, {"shes", "sh"}, {"sses", "ss"}, {"xes", "x"}, {"zes", "z"},
		{"ses", "s"}, {"men", "man"}, {"s", ""}}
	verbEndings = [][2]string{{"ies", "y"}, {"es", "e"}, {"es", ""}, {"s", ""}, {"ied", "y"}, {"ed", "e"}, {"ed", ""},
		{"ing", "e"}, {"ing", ""}}
	adjEndings = [][2]string{{"iest", "y"}, {"ier", "y"}, {"est", "e"}, {"est", ""}, {"er", "e"}, {"er", ""}}
)

// Quantize encodes a frequency in four bits, by its logarithm.
func Quantize(count float64) uint8 {
	return uint8(min(15, math.Round(1.4*math.Log2(1+count))))
}

// frequency returns the approximate count that Quantize encoded.
func frequency(q uint8) float64 { return math.Exp2(float64(q)/1.4) - 1 }

// readings returns the possible lemmas of a folded word: the word itself and the base forms of inflections.
func (l *Lexicon) readings(form string) []reading {
	var all []reading
	add := func(lemma string, noun, verb, adj bool) {
		if i := l.lemmas.find(lemma); i >= 0 && !l.facts[i].compound {
			f := l.facts[i]
			all = append(all, reading{lemma, used(f.noun, noun), used(f.verb, verb), used(f.adj, adj)})
		}
	}
	add(form, true, true, true)
	if i := l.forms.find(form); i >= 0 {
		add(l.bases[i], true, true, true)
	}
	each := func(endings [][2]string, noun, verb, adj bool) {
		for _, e := range endings {
			if stem, ok := strings.CutSuffix(form, e[0]); ok && len(stem) > 1 {
				add(stem+e[1], noun, verb, adj)
			}
		}
	}
	if !strings.HasSuffix(form, "ss") {
		each(nounEndings, true, false, false)
		each(verbEndings, false, true, false)
	}
	each(adjEndings, false, false, true)
	return all
}

func used(q uint8, as bool) float64 {
	if !as {
		return 0
	}
	return frequency(q)
}
