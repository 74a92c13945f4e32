package plan

import (
	"slices"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/vocabulary"
)

// vocabularyCodes are the problem codes for vocabularies in a configuration.
var vocabularyCodes = vocabulary.Codes{
	NoTerm: fault.CodeVocabularyNoTerm, Term: fault.CodeVocabularyTerm, Weight: fault.CodeVocabularyWeight,
	Terms: fault.CodeVocabularyTerms, Duplicate: fault.CodeVocabularyDuplicate,
	Script: fault.CodeVocabularyScript, Scripts: fault.CodeVocabularyScripts, Words: fault.CodeVocabularyWords,
}

// vocabularies resolves the custom vocabularies. Limits and uniqueness apply to all of them together.
func (r *resolver) vocabularies() []vocabulary.Vocabulary {
	list := r.root.Get("vocabularies")
	reader := vocabulary.Reader{Codes: vocabularyCodes, Refuse: r.refuse}
	var all []vocabulary.Vocabulary
	for _, v := range list.Items() {
		if found, ok := r.vocabulary(v, reader); ok && !taken(all, found.Name) {
			all = append(all, found)
		}
	}
	reader.Limit(list, all...)
	return all
}

// taken reports whether a saved vocabulary is already in the list, so that it counts once.
func taken(all []vocabulary.Vocabulary, name string) bool {
	return name != "" && slices.ContainsFunc(all, func(v vocabulary.Vocabulary) bool { return v.Name == name })
}

// vocabulary reads one element: a name, terms or scripts.
func (r *resolver) vocabulary(v *jsondoc.Value, reader vocabulary.Reader) (vocabulary.Vocabulary, bool) {
	name, terms, scripts := v.Get("vocabularyName"), v.Get("terms"), v.Get("scripts")
	given := 0
	for _, part := range []*jsondoc.Value{name, terms, scripts} {
		if part != nil {
			given++
		}
	}
	switch {
	case given == 0 && v.Kind() == jsondoc.Object:
		r.refuse(v, fault.CodeVocabulary, "has none of vocabularyName, terms and scripts; add one of them")
	case given > 1:
		r.refuse(v, fault.CodeVocabularyBoth,
			"has more than one of vocabularyName, terms and scripts; put each into a separate element")
	case name != nil:
		return r.named(name)
	case given == 1:
		return vocabulary.Vocabulary{Terms: reader.Terms(terms), Scripts: reader.Scripts(scripts)}, true
	}
	return vocabulary.Vocabulary{}, false
}

func (r *resolver) named(v *jsondoc.Value) (vocabulary.Vocabulary, bool) {
	for _, saved := range r.env.Definitions.Vocabularies {
		if saved.Name != v.Text() {
			continue
		}
		if len(saved.Terms) == 0 && len(saved.Scripts) == 0 {
			r.refuse(v, fault.CodeVocabularyEmpty, "the vocabulary %q is empty; add terms or leave it out",
				clip(saved.Name))
			return saved, false
		}
		return saved, true
	}
	if v.Kind() == jsondoc.String {
		r.refuse(v, fault.CodeVocabularyUnknown,
			"there is no vocabulary %q; save it first under /v3/definition/vocabularies", clip(v.Text()))
	}
	return vocabulary.Vocabulary{}, false
}
