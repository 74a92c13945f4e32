package deepgram

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/speech/asr/remote"
	"parley/internal/words/vocabulary"
)

// Limits of the service.
const (
	mostKeywords = 100
	// the service accepts 500 tokens of keyterms in total; counting three bytes per token stays below that
	keytermBudget = 1500
)

// vocabularyFor returns the name of the parameter by which a model accepts custom words, its values in descending
// order of weight, and warnings about omitted words. Nova-3 and later models accept keyterm, including phrases.
// Earlier models accept keywords: single words with an intensifier, which is set to the term's weight.
func vocabularyFor(model string, vocabularies []vocabulary.Vocabulary) (parameter string, values, warnings []string) {
	terms := remote.Terms(vocabularies)
	left := len(terms)
	switch {
	case strings.HasPrefix(model, "whisper"): // accepts none
	case prompted(model):
		parameter = "keyterm"
		values = remote.Fit(terms, keytermBudget, 3)
		left -= len(values)
	default:
		parameter = "keywords"
		values, left = keywords(terms)
	}
	if left > 0 {
		warnings = append(warnings, fmt.Sprintf(
			"%d vocabulary terms exceed the limit of the engine; those with the lowest weights are ignored",
			left))
	}
	if slices.ContainsFunc(vocabularies, func(v vocabulary.Vocabulary) bool { return len(v.Scripts) > 0 }) {
		warnings = append(warnings, "the engine does not use vocabulary scripts")
	}
	return parameter, values, warnings
}

// prompted reports whether a model accepts keyterm: nova-3 and later, and flux.
func prompted(model string) bool {
	generation, nova := strings.CutPrefix(model, "nova-")
	return strings.HasPrefix(model, "flux") || nova && generation != "" && generation[0] >= '3' && generation[0] <= '9'
}

// keywords splits phrases into single words, as the service recommends.
func keywords(terms []vocabulary.Term) (values []string, left int) {
	for i, t := range terms {
		words := strings.Fields(t.Text)
		if len(values)+len(words) > mostKeywords {
			return values, len(terms) - i
		}
		for _, word := range words {
			if t.Weight > 0 {
				word += fmt.Sprintf(":%g", t.Weight)
			}
			values = append(values, word)
		}
	}
	return values, 0
}
