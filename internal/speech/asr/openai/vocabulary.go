package openai

import (
	"fmt"
	"strings"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
	"parley/internal/words/vocabulary"
)

// budget is the maximum length of a prompt in bytes. Whisper models consider the last 224 tokens, and names have
// about 3.5 letters per token.
const budget = 750

// vocabulary returns the form field for the expected words, and its text.
func (r *Recognizer) vocabulary(request asr.Request, result *asr.Recognition) (field, text string) {
	if r.words == "none" {
		return "", ""
	}
	all := remote.Terms(request.Vocabulary)
	fit := remote.Fit(all, budget, len(", "))
	if left := len(all) - len(fit); left > 0 {
		result.Warnings = append(result.Warnings,
			fmt.Sprintf("%d vocabulary terms exceed the limit of the engine %s; "+
				"those with the lowest weights are ignored", left, r.endpoint.Name))
	}
	terms := strings.Join(fit, ", ")
	if r.words == "hotwords" {
		return "hotwords", terms
	}
	return "prompt", prompt(request.Vocabulary, terms)
}

// prompt is text that could precede the audio: as much of the scripts as fits, then the terms, because the end of a
// prompt has the strongest effect.
func prompt(vocabularies []vocabulary.Vocabulary, terms string) string {
	var parts []string
	room := budget - len(terms)
	for _, v := range vocabularies {
		for _, script := range v.Scripts {
			start := beginning(script, room)
			if room -= len(start) + 1; start != "" {
				parts = append(parts, start)
			}
		}
	}
	if terms != "" {
		parts = append(parts, terms+".")
	}
	return strings.Join(parts, " ")
}

// beginning returns as many leading words of a text as fit into size bytes.
func beginning(text string, size int) string {
	var b strings.Builder
	for _, word := range strings.Fields(text) {
		if b.Len()+len(word)+1 > size {
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}
