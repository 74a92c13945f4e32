package pocketsphinx

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/vocabulary"
)

const mostWays = 8 // maximum pronunciations per term

// term is a custom word or phrase. It has a generated name in the decoder, because the dictionary ignores case, and a
// phrase is a single entry.
type term struct {
	text   string
	ways   []string // phones by pronunciation
	weight float64
}

// entry returns the name of the n-th term in dictionary and language model.
func entry(n int) string { return "=" + strconv.Itoa(n) }

// terms returns the terms of all vocabularies that can be pronounced, and a warning for each that cannot. Words of
// scripts that the language model lacks become terms.
func terms(
	ctx context.Context, lists []vocabulary.Vocabulary, p *pronouncer, modelHas func(word string) bool,
) ([]term, []string) {
	wanted := wantedTerms(lists, modelHas)
	var phrases []string
	for _, t := range wanted {
		phrases = append(append(phrases, t.Text), t.SoundsLike...)
	}
	p.learn(ctx, phrases)
	var found []term
	var warnings []string
	for _, t := range wanted {
		ways := p.ways(t)
		switch {
		case len(ways) == 0:
			warnings = append(warnings,
				fmt.Sprintf("vocabulary term %q is ignored: its pronunciation is unknown; add soundsLike", t.Text))
			continue
		case len(ways) > mostWays:
			warnings = append(warnings, fmt.Sprintf(
				"vocabulary term %q has %d pronunciations; only the first %d are used", t.Text, len(ways),
				mostWays))
		}
		found = append(found, term{t.Text, ways[:min(len(ways), mostWays)], t.Weight})
	}
	return found, warnings
}

// ways returns the distinct pronunciations of a term: those of its sounds-like forms, in order, then its own.
func (p *pronouncer) ways(t vocabulary.Term) []string {
	var ways []string
	for _, phrase := range append(slices.Clone(t.SoundsLike), t.Text) {
		for _, way := range p.phrase(phrase) {
			if !slices.Contains(ways, way) {
				ways = append(ways, way)
			}
		}
	}
	return ways
}

func wantedTerms(lists []vocabulary.Vocabulary, modelHas func(word string) bool) []vocabulary.Term {
	var wanted []vocabulary.Term
	seen := map[string]bool{}
	for _, list := range lists {
		for _, t := range list.Terms {
			if text := strings.TrimSpace(t.Text); text != "" && !seen[text] {
				seen[text] = true
				wanted = append(wanted, t)
			}
		}
		for _, script := range list.Scripts {
			for _, w := range strings.Fields(script) {
				w = strings.Trim(w, `.,;:!?"()[]`)
				if w != "" && !seen[w] && !modelHas(strings.ToLower(w)) {
					seen[w] = true
					wanted = append(wanted, vocabulary.Term{Text: w})
				}
			}
		}
	}
	return wanted
}

// write replaces entries by the texts of their terms. A phrase is split into words, which share its time in
// proportion to their length.
func write(words []asr.Word, terms []term) []asr.Word {
	if len(terms) == 0 {
		return words
	}
	var out []asr.Word
	for _, w := range words {
		number, isTerm := strings.CutPrefix(w.Text, "=")
		n, err := strconv.Atoi(number)
		if !isTerm || err != nil || n >= len(terms) {
			out = append(out, w)
			continue
		}
		out = append(out, spread(w, strings.Fields(terms[n].text))...)
	}
	return out
}

func spread(w asr.Word, texts []string) []asr.Word {
	total := len(strings.Join(texts, ""))
	var out []asr.Word
	done := 0
	for _, text := range texts {
		at := func(letters int) time.Duration {
			return w.Start + (w.End-w.Start)*time.Duration(letters)/time.Duration(total)
		}
		out = append(out, asr.Word{Text: text, Start: at(done), End: at(done + len(text)), Confidence: w.Confidence})
		done += len(text)
	}
	return out
}
