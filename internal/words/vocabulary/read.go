package vocabulary

import (
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/words/jsondoc"
)

// Codes are the public codes for problems of terms and scripts. Configurations and saved definitions use different
// codes for the same problems.
type Codes struct {
	TermType   int // a term, or a part of one, of the wrong JSON type; 0: the document's code for that
	ScriptType int // a script of the wrong JSON type; 0: the document's code for that
	NoTerm     int // an empty term
	Term       int // a term or soundsLike beyond its limits
	Weight     int
	Terms      int // too many terms
	Duplicate  int // a duplicate term
	Script     int // an empty script
	Scripts    int // too many scripts
	Words      int // too many words in scripts
}

// Fields returns the keys of a vocabulary's content, for the shape of the enclosing object.
func (c Codes) Fields() []jsondoc.Field {
	text := jsondoc.Text().Coded(c.TermType)
	term := jsondoc.Fields(
		jsondoc.Field{Name: "term", Shape: text},
		jsondoc.Field{Name: "soundsLike", Shape: jsondoc.List(text).Coded(c.TermType)},
		jsondoc.Field{Name: "weight", Shape: jsondoc.Real().Coded(c.Weight)},
	).Coded(c.TermType)
	script := jsondoc.Fields(jsondoc.Field{Name: "script", Shape: jsondoc.Text().Coded(c.ScriptType)}).Coded(
		c.ScriptType)
	return []jsondoc.Field{
		{Name: "terms", Shape: jsondoc.List(term).Coded(c.TermType)},
		{Name: "scripts", Shape: jsondoc.List(script).Coded(c.ScriptType)},
	}
}

// Reader reads the content of vocabularies. Values of the wrong type, which the check against Fields reports, read as
// absent; other problems go to Refuse, value by value.
type Reader struct {
	Codes  Codes
	Refuse func(v *jsondoc.Value, code int, format string, args ...any)
}

// Terms reads a list of terms. It trims surrounding white space.
func (r Reader) Terms(list *jsondoc.Value) []Term {
	var terms []Term
	for _, v := range list.Items() {
		if v.Kind() == jsondoc.Object {
			terms = append(terms, r.term(v))
		}
	}
	return terms
}

func (r Reader) term(v *jsondoc.Value) Term {
	t := Term{Text: strings.TrimSpace(v.Get("term").Text()), Weight: v.Get("weight").Float()}
	for _, s := range v.Get("soundsLike").Items() {
		t.SoundsLike = append(t.SoundsLike, r.sound(s))
	}
	if missing(v.Get("term")) {
		r.Refuse(v, r.Codes.NoTerm, "has no term; set it or remove the element")
	}
	r.short(v.Get("term"), t.Text, MaxTermLength)
	if n := len(t.SoundsLike); n > MaxSoundsLike {
		r.Refuse(v.Get("soundsLike"), r.Codes.Term, "has %d entries; the maximum is %d", n, MaxSoundsLike)
	}
	if t.Weight < 0 || t.Weight > MaxWeight {
		r.Refuse(v.Get("weight"), r.Codes.Weight, "%s is not a valid weight; use 0 to %d",
			jsondoc.Clip(string(v.Get("weight").Bytes())), MaxWeight)
	}
	return t
}

func (r Reader) sound(v *jsondoc.Value) string {
	text := strings.TrimSpace(v.Text())
	if missing(v) {
		r.Refuse(v, r.Codes.Term, "is empty; write how the term sounds or remove the element")
	}
	r.short(v, text, MaxSoundLength)
	return text
}

func (r Reader) short(v *jsondoc.Value, text string, most int) {
	if n := utf8.RuneCountInString(text); n > most {
		r.Refuse(v, r.Codes.Term, "has %d characters; the maximum is %d", n, most)
	}
}

// Scripts reads a list of scripts.
func (r Reader) Scripts(list *jsondoc.Value) []string {
	var scripts []string
	for _, v := range list.Items() {
		if v.Kind() == jsondoc.Object && missing(v.Get("script")) {
			r.Refuse(v, r.Codes.Script, "has no script; set it or remove the element")
		}
		scripts = append(scripts, strings.TrimSpace(v.Get("script").Text()))
	}
	return scripts
}

// missing reports whether a text is absent or blank. A value of another type is a different problem.
func missing(v *jsondoc.Value) bool {
	return (v.Kind() == jsondoc.String || v.Kind() == jsondoc.Null) && strings.TrimSpace(v.Text()) == ""
}

// Limit checks that all vocabularies together respect the limits and have no duplicate terms; problems are reported at
// v.
func (r Reader) Limit(v *jsondoc.Value, all ...Vocabulary) {
	terms, scripts, words := 0, 0, 0
	for _, one := range all {
		for _, s := range one.Scripts {
			words += len(strings.Fields(s))
		}
		terms, scripts = terms+len(one.Terms), scripts+len(one.Scripts)
	}
	r.atMost(v, r.Codes.Terms, "terms", terms, MaxTerms)
	r.atMost(v, r.Codes.Scripts, "scripts", scripts, MaxScripts)
	r.atMost(v, r.Codes.Words, "words in scripts", words, MaxScriptWords)
	if twice := repeated(all); twice != nil {
		r.Refuse(v, r.Codes.Duplicate, "the terms %q are given more than once; keep one of each",
			jsondoc.Clip(strings.Join(twice, ", ")))
	}
}

func (r Reader) atMost(v *jsondoc.Value, code int, what string, n, most int) {
	if n > most {
		r.Refuse(v, code, "%d %s in total; the maximum is %d", n, what, most)
	}
}

// repeated returns the duplicate terms, sorted.
func repeated(all []Vocabulary) []string {
	seen := map[string]int{}
	var twice []string
	for _, one := range all {
		for _, t := range one.Terms {
			if seen[t.Text]++; seen[t.Text] == 2 && t.Text != "" {
				twice = append(twice, t.Text)
			}
		}
	}
	slices.Sort(twice)
	return twice
}
