package plan

import (
	"strings"
	"unicode/utf8"

	"parley/internal/document"
	"parley/internal/fault"
	"parley/internal/vocabulary"
)

// Limits of the scripts of one recording.
const (
	MaxScripts     = 100
	MaxScriptWords = 10_000
)

// vocabularies resolves the custom vocabularies. Limits and uniqueness count over all of them together.
func (r *resolver) vocabularies() []vocabulary.Vocabulary {
	list := r.root.Get("vocabularies")
	var all []vocabulary.Vocabulary
	for _, v := range list.Items() {
		if found, ok := r.vocabulary(v); ok {
			all = append(all, found)
		}
	}
	r.limitWords(list, all)
	return all
}

// vocabulary reads one element: a name, terms or scripts.
func (r *resolver) vocabulary(v *document.Value) (vocabulary.Vocabulary, bool) {
	name, terms, scripts := v.Get("vocabularyName"), v.Get("terms"), v.Get("scripts")
	given := 0
	for _, part := range []*document.Value{name, terms, scripts} {
		if part != nil {
			given++
		}
	}
	switch {
	case given == 0 && v.Kind() == document.Object:
		r.refuse(v, fault.CodeVocabulary, "has neither vocabularyName nor terms nor scripts; give one of them")
	case given > 1:
		r.refuse(v, fault.CodeVocabularyBoth, "has more than one of vocabularyName, terms and scripts; put each into an element of its own")
	case name != nil:
		return r.named(name)
	case given == 1:
		return vocabulary.Vocabulary{Terms: r.terms(terms), Scripts: r.scripts(scripts)}, true
	}
	return vocabulary.Vocabulary{}, false
}

func (r *resolver) named(v *document.Value) (vocabulary.Vocabulary, bool) {
	for _, saved := range r.env.Definitions.Vocabularies {
		if saved.Name != v.Text() {
			continue
		}
		if len(saved.Terms) == 0 && len(saved.Scripts) == 0 {
			r.refuse(v, fault.CodeVocabularyEmpty, "the vocabulary %q is empty; add terms or leave it out", clip(saved.Name))
			return saved, false
		}
		return saved, true
	}
	if v.Kind() == document.String {
		r.refuse(v, fault.CodeVocabularyUnknown, "there is no vocabulary %q; save it first under /v3/definition/vocabularies", clip(v.Text()))
	}
	return vocabulary.Vocabulary{}, false
}

func (r *resolver) terms(list *document.Value) []vocabulary.Term {
	var terms []vocabulary.Term
	for _, v := range list.Items() {
		if v.Kind() == document.Object {
			terms = append(terms, r.term(v))
		}
	}
	return terms
}

func (r *resolver) term(v *document.Value) vocabulary.Term {
	t := vocabulary.Term{Text: strings.TrimSpace(v.Get("term").Text()), Weight: v.Get("weight").Float()}
	for _, s := range v.Get("soundsLike").Items() {
		t.SoundsLike = append(t.SoundsLike, strings.TrimSpace(s.Text()))
		if s.Kind() == document.String && strings.TrimSpace(s.Text()) == "" {
			r.refuse(s, fault.CodeVocabularyTerm, "is empty; say how the term sounds or leave it out")
		}
	}
	if kind := v.Get("term").Kind(); t.Text == "" && (kind == document.String || kind == document.Null) {
		r.refuse(v, fault.CodeVocabularyNoTerm, "has no term; give one or leave the element out")
	}
	if n := utf8.RuneCountInString(t.Text); n > vocabulary.MaxTermLength {
		r.refuse(v.Get("term"), fault.CodeVocabularyTerm, "has %d characters; at most %d are taken", n, vocabulary.MaxTermLength)
	}
	if n := len(t.SoundsLike); n > vocabulary.MaxSoundsLike {
		r.refuse(v.Get("soundsLike"), fault.CodeVocabularyTerm, "has %d entries; at most %d are taken", n, vocabulary.MaxSoundsLike)
	}
	if t.Weight < 0 || t.Weight > vocabulary.MaxWeight {
		r.refuse(v.Get("weight"), fault.CodeVocabularyWeight, "%s is no weight; give 0 to %d", clip(string(v.Get("weight").Bytes())), vocabulary.MaxWeight)
	}
	return t
}

func (r *resolver) scripts(list *document.Value) []string {
	var scripts []string
	for _, v := range list.Items() {
		text := strings.TrimSpace(v.Get("script").Text())
		if kind := v.Get("script").Kind(); text == "" && v.Kind() == document.Object && (kind == document.String || kind == document.Null) {
			r.refuse(v, fault.CodeVocabularyScript, "has no script; give a text or leave the element out")
		}
		scripts = append(scripts, text)
	}
	return scripts
}

// limitWords holds all vocabularies of the recording together to the limits.
func (r *resolver) limitWords(list *document.Value, all []vocabulary.Vocabulary) {
	seen := map[string]int{}
	var twice []string
	terms, scripts, words := 0, 0, 0
	for _, v := range all {
		for _, t := range v.Terms {
			if seen[t.Text]++; seen[t.Text] == 2 && t.Text != "" {
				twice = append(twice, t.Text)
			}
		}
		for _, s := range v.Scripts {
			words += len(strings.Fields(s))
		}
		terms, scripts = terms+len(v.Terms), scripts+len(v.Scripts)
	}
	r.atMost(list, fault.CodeVocabularyTerms, "terms", terms, vocabulary.MaxTerms)
	r.atMost(list, fault.CodeVocabularyScripts, "scripts", scripts, MaxScripts)
	r.atMost(list, fault.CodeVocabularyWords, "words in scripts", words, MaxScriptWords)
	if twice != nil {
		r.refuse(list, fault.CodeVocabularyDuplicate, "the terms %q are given more than once; keep one of each over all vocabularies", clip(join(twice)))
	}
}

func (r *resolver) atMost(v *document.Value, code int, what string, n, most int) {
	if n > most {
		r.refuse(v, code, "%d %s together; at most %d are taken", n, what, most)
	}
}
