package tagger

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"

	"parley/internal/words/phrase"
)

// Kinds is the set of kinds that a word form can have.
type Kinds uint16

// The kinds.
const (
	NounForm Kinds = 1 << iota
	PluralForm
	VerbForm
	ThirdForm // -s
	PastForm  // -ed, including participles
	IngForm
	AdjectiveForm
	AdverbForm
)

// Lexicon holds base forms of English words and the rules for their other forms. It is immutable.
type Lexicon struct {
	base       map[string]Kinds       // of base forms
	exceptions map[string][]irregular // irregular forms to base forms
}

// irregular is the base form of an irregular form, and the kind of that form.
type irregular struct {
	base string
	is   Kinds
}

// ReadLexicon reads gzip-compressed lines: a base form and the letters of its kinds (n, v, a, r), or an irregular form,
// its base form and the letter of the kind, separated by tabs.
func ReadLexicon(r io.Reader) (*Lexicon, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("lexicon: %w", err)
	}
	l := &Lexicon{base: make(map[string]Kinds, 90_000), exceptions: make(map[string][]irregular, 5000)}
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		switch len(fields) {
		case 2:
			for _, letter := range fields[1] {
				l.base[fields[0]] |= kindOf[letter]
			}
		case 3:
			l.except(fields[0], fields[1], kindOf[rune(fields[2][0])])
		default:
			return nil, fmt.Errorf("lexicon: the line %q has %d fields", lines.Text(), len(fields))
		}
	}
	return l, lines.Err()
}

var kindOf = map[rune]Kinds{'n': NounForm, 'v': VerbForm, 'a': AdjectiveForm, 'r': AdverbForm}

func (l *Lexicon) except(form, base string, kind Kinds) {
	is := kind
	switch {
	case kind == NounForm:
		is = PluralForm
	case kind == VerbForm && strings.HasSuffix(form, "ing"):
		is = IngForm
	case kind == VerbForm && strings.HasSuffix(form, "s"):
		is = ThirdForm
	case kind == VerbForm:
		is = PastForm
	}
	l.exceptions[form] = append(l.exceptions[form], irregular{base, is})
}

// rule derives a base form from another form.
type rule struct {
	ending, base string
	of, is       Kinds
}

// rules are those of WordNet's Morphy (Fellbaum, 1998); bases adds the rules for verbs with doubled consonants.
var rules = []rule{
	{"s", "", NounForm, PluralForm}, {"ses", "s", NounForm, PluralForm}, {"xes", "x", NounForm, PluralForm},
	{"zes", "z", NounForm, PluralForm},
	{"ches", "ch", NounForm, PluralForm}, {"shes", "sh", NounForm, PluralForm}, {"men", "man", NounForm, PluralForm},
	{"ies", "y", NounForm, PluralForm},
	{"s", "", VerbForm, ThirdForm}, {"ies", "y", VerbForm, ThirdForm}, {"es", "e", VerbForm, ThirdForm},
	{"es", "", VerbForm, ThirdForm},
	{"ed", "e", VerbForm, PastForm}, {"ed", "", VerbForm, PastForm}, {"ied", "y", VerbForm, PastForm},
	{"ing", "e", VerbForm, IngForm}, {"ing", "", VerbForm, IngForm},
}

// each calls f with every possible base form of a word.
func (l *Lexicon) each(word string, f func(base string, of, is Kinds)) {
	for _, e := range l.exceptions[word] {
		of := VerbForm
		if e.is == PluralForm {
			of = NounForm
		}
		f(e.base, of, e.is)
	}
	for _, r := range rules {
		if len(word) < len(r.ending)+2 || !strings.HasSuffix(word, r.ending) || r.of == NounForm &&
			strings.HasSuffix(word, "ss") {
			continue
		}
		stem := word[:len(word)-len(r.ending)]
		if base := stem + r.base; l.base[base]&r.of != 0 {
			f(base, r.of, r.is)
		}
		n := len(stem)
		if r.base == "" && (r.is == PastForm || r.is == IngForm) && n > 2 && stem[n-1] == stem[n-2] &&
			l.base[stem[:n-1]]&r.of != 0 {
			f(stem[:n-1], r.of, r.is)
		}
	}
}

// Kinds returns the possible kinds of a folded word; 0 if it is unknown.
func (l *Lexicon) Kinds(word string) Kinds {
	all := l.base[word]
	l.each(word, func(_ string, _, is Kinds) { all |= is })
	return all
}

// VerbBase returns the base form of a verb, or the word itself if it is not a known verb form.
func (l *Lexicon) VerbBase(word string) string {
	if base, ok := common[word]; ok {
		return base
	}
	if l.base[word]&VerbForm != 0 && !strings.HasSuffix(word, "ing") && l.exceptions[word] == nil {
		return word
	}
	return l.first(word, VerbForm, word)
}

// NounBase returns the base form of a noun, its singular. It removes the s from unknown plurals.
func (l *Lexicon) NounBase(word string) string {
	if whole[word] {
		return word
	}
	guess := word
	if n := len(word); n > 3 && word[n-1] == 's' && !strings.ContainsRune("sui", rune(word[n-2])) {
		guess = word[:n-1]
		if l.base[guess]&NounForm != 0 {
			return guess
		}
	}
	if l.base[word]&NounForm != 0 && !irregularPlural(l, word) {
		return word
	}
	return l.first(word, NounForm, guess)
}

// whole are nouns that look like plurals of other nouns.
var whole = phrase.Set(`news series species means goods clothes headquarters customs thanks glasses pants jeans premises savings
	earnings belongings sms always gas data media dues proceeds logistics electronics economics mathematics
	statistics james`)

func irregularPlural(l *Lexicon, word string) bool {
	return slices.ContainsFunc(l.exceptions[word], func(e irregular) bool { return e.is == PluralForm })
}

// first returns the first base form of a kind, or otherwise if there is none.
func (l *Lexicon) first(word string, kind Kinds, otherwise string) string {
	found := ""
	l.each(word, func(base string, of, _ Kinds) {
		if found == "" && of == kind {
			found = base
		}
	})
	if found == "" {
		return otherwise
	}
	return found
}

// common maps verb forms to their base forms where the rules find another base form first.
var common = map[string]string{
	"am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "being": "be", "'s": "be",
	"has": "have", "had": "have", "having": "have",
	"does": "do", "did": "do", "done": "do", "doing": "do", "left": "leave", "found": "find", "felt": "feel",
	"lay": "lie", "saw": "see", "fell": "fall",
	"bound": "bind", "ground": "grind", "wound": "wind", "used": "use", "using": "use", "uses": "use", "bring": "bring",
	"ring": "ring", "sing": "sing", "string": "string", "swing": "swing",
	"spring": "spring", "sting": "sting", "cling": "cling", "fling": "fling", "wring": "wring", "sling": "sling",
	"ping": "ping", "king": "king", "bed": "bed", "need": "need", "feed": "feed",
	"speed": "speed", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed", "embed": "embed",
	"bleed": "bleed", "breed": "breed", "shed": "shed", "seed": "seed", "weed": "weed", "wed": "wed",
	"sold": "sell", "told": "tell", "thought": "think", "bought": "buy", "got": "get", "gotten": "get", "paid": "pay",
	"made": "make", "sent": "send", "lost": "lose",
}
