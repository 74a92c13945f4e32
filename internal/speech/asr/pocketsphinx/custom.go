package pocketsphinx

import (
	"context"
	"fmt"
	"math"
	"unsafe"

	"parley/internal/words/vocabulary"
)

// teach adds the terms of vocabularies to the dictionary, and blends a language model of them with the decoder's own.
// Terms cannot be removed again. It returns warnings about terms that cannot be added.
func (d *decoder) teach(ctx context.Context, lists []vocabulary.Vocabulary) []string {
	p := &pronouncer{dictionary: d.pronunciations, synthesise: espeak}
	found, warnings := terms(ctx, lists, p, d.modelHas)
	if len(found) == 0 {
		return warnings
	}
	d.terms = found
	refused, err := d.expect(found)
	if err != nil {
		return append(warnings, "the vocabulary is ignored: "+err.Error())
	}
	return append(warnings, refused...)
}

// expect makes the decoder search with the terms, and returns warnings about rejected terms.
func (d *decoder) expect(terms []term) (warnings []string, err error) {
	model, err := d.blendWith(terms) // before the terms are added to its own models
	if err != nil {
		return nil, err
	}
	for i, t := range terms {
		if !d.add(entry(i), t.ways) {
			warnings = append(warnings,
				fmt.Sprintf("vocabulary term %q is ignored: PocketSphinx rejected its pronunciation", t.text))
		}
	}
	return warnings, d.use(withTerms, model)
}

// add adds one entry with all its pronunciations. Variants are named as in dictionaries: name, name(2).
func (d *decoder) add(name string, ways []string) bool {
	added := true
	for i, phones := range ways {
		variant := name
		if i > 0 {
			variant = fmt.Sprintf("%s(%d)", name, i+1)
		}
		added = d.lib.addWord(d.ps, variant, phones, 0) >= 0 && added
	}
	return added
}

// boost converts a weight of 0..5 to a factor of the probability of an average word.
func boost(weight float64) float64 { return math.Pow(10, min(max(weight, 0), vocabulary.MaxWeight)/2) }

// modelHas reports whether the language model contains a lower-case word.
func (d *decoder) modelHas(word string) bool {
	model := d.lib.model(d.ps, search)
	return d.lib.wordID(model, word) != d.lib.unknownID(model)
}

// pronunciations returns the dictionary's pronunciations of a lower-case word and its variants.
func (d *decoder) pronunciations(word string) []string {
	var ways []string
	for name := word; ; name = fmt.Sprintf("%s(%d)", word, len(ways)+1) {
		memory := d.lib.lookup(d.ps, name)
		if memory == nil {
			return ways
		}
		ways = append(ways, text(memory))
		d.lib.release(memory)
	}
}

// text copies a C string to a Go string.
func text(memory *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(memory), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(memory, n))
}
