package formatting

import (
	"strings"
	"unicode"

	"parley/internal/words/numeral"
	"parley/internal/words/transcript"
)

// mostForms is the maximum number of spoken forms of one reading.
const mostForms = 16

// Reading lists the spoken forms of some words of a written text, in lower case, the most common one first.
type Reading struct {
	Words transcript.Span // by index
	Forms [][]string
}

// Spoken returns the spoken forms of each word of a written text: $138.65, 10:30, 2026, 650, St., or a plain word,
// which is spoken as written. Punctuation at the ends of words is ignored; a word of punctuation only has one empty
// form. Every word belongs to exactly one reading.
func Spoken(words []string) []Reading {
	var readings []Reading
	for i := 0; i < len(words); {
		r := Reading{Words: transcript.Span{From: i, To: i + 1}}
		bare := trim(words[i])
		money, priced := numeral.Money{}, false
		if i+1 < len(words) && isMagnitude(trim(words[i+1])) {
			money, priced = currency(bare)
		}
		switch {
		case priced:
			r.Words.To++
			r.Forms = magnitude(money, trim(words[i+1]))
		case i > 0 && isMonth(trim(words[i-1])) || i+1 < len(words) && isMonth(trim(words[i+1])):
			r.Forms = dayForms(bare)
		case i+1 < len(words) && isHalf(words[i+1]):
			r.Forms = clockFormsOf(bare)
		}
		if r.Forms == nil {
			r.Forms = wordForms(words[i])
		}
		readings = append(readings, Reading{r.Words, distinct(r.Forms)})
		i = r.Words.To
	}
	return readings
}

// distinct removes duplicate forms, and forms beyond mostForms.
func distinct(forms [][]string) [][]string {
	var kept [][]string
	seen := map[string]bool{}
	for _, f := range forms {
		if key := strings.Join(f, " "); !seen[key] && len(kept) < mostForms {
			seen[key] = true
			kept = append(kept, f)
		}
	}
	return kept
}

// trim removes punctuation from the ends of a word and folds it; signs that are spoken stay.
func trim(word string) string {
	return strings.ToLower(strings.TrimFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("$€£%&+#@", r)
	}))
}

// wordForms returns the spoken forms of one word.
func wordForms(word string) [][]string {
	if forms := abbreviation(word); forms != nil {
		return forms
	}
	bare := trim(word)
	if bare == "" {
		return [][]string{{}}
	}
	if !strings.ContainsFunc(bare, unicode.IsDigit) {
		return plainForms(word, bare)
	}
	for _, kind := range kinds {
		if forms := kind(bare); forms != nil {
			return forms
		}
	}
	return mixedForms(bare)
}

// kinds lists the parsers of words with digits; the first one that matches wins.
var kinds = []func(string) [][]string{
	integerForms, amountForms, percentForms, ordinalForms, decadeForms, timeForms, dateForms, decimalForms, groupForms,
}

// plainForms returns the spoken forms of a word without digits. Words in capitals may be spelled; parts joined by a
// hyphen may be separate words.
func plainForms(word, bare string) [][]string {
	forms := [][]string{{bare}}
	if parts := strings.FieldsFunc(bare, func(r rune) bool { return r == '-' || r == '/' }); len(parts) > 1 {
		forms = [][]string{parts, {strings.Join(parts, "")}, {bare}}
	}
	if s, ok := signs[bare]; ok {
		return [][]string{{s}}
	}
	letters := strings.Map(func(r rune) rune {
		if r == '.' {
			return -1
		}
		return r
	}, strings.Trim(word, ",?!;:()\"'"))
	if n := len(letters); n >= 2 && n <= 5 && letters == strings.ToUpper(letters) &&
		strings.IndexFunc(letters, notLetter) < 0 {
		forms = append(forms, strings.Split(strings.ToLower(letters), ""))
	}
	return forms
}

func notLetter(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }

// signs maps signs to their spoken names.
var signs = map[string]string{"&": "and", "%": "percent", "+": "plus", "@": "at", "#": "number", "$": "dollars"}

// abbreviations maps abbreviations to their full forms. Those with a capital match with or without their full stop.
var abbreviations = map[string][]string{
	"mr.": {"mister"}, "mrs.": {"missus", "misses"}, "ms.": {"miss", "ms"}, "dr.": {"doctor", "drive"},
	"st.": {"street", "saint"}, "ave.": {"avenue"}, "rd.": {"road"}, "blvd.": {"boulevard"}, "ln.": {"lane"},
	"hwy.": {"highway"}, "apt.": {"apartment"}, "ste.": {"suite"}, "ext.": {"extension"}, "dept.": {"department"},
	"vs.": {"versus"}, "etc.": {"et cetera", "etcetera"}, "jr.": {"junior"}, "sr.": {"senior"},
	"inc.": {"inc", "incorporated"}, "corp.": {"corporation", "corp"}, "ltd.": {"limited"}, "jan.": {"january"},
	"feb.": {"february"}, "mar.": {"march"}, "apr.": {"april"}, "jun.": {"june"}, "jul.": {"july"}, "aug.": {"august"},
	"sept.": {"september"}, "sep.": {"september"}, "oct.": {"october"}, "nov.": {"november"}, "dec.": {"december"},
	"mon.": {"monday"}, "tue.": {"tuesday"}, "wed.": {"wednesday"}, "thu.": {"thursday"}, "fri.": {"friday"},
	"a.m.": {"a m", "am"}, "p.m.": {"p m", "pm"}, "am": {"am", "a m"}, "pm": {"p m", "pm"},
	"approx.": {"approximately"}, "mph": {"miles per hour", "m p h"}, "lbs.": {"pounds"}, "lb.": {"pound"},
	"oz.": {"ounces", "ounce"}, "ft.": {"feet", "foot"}, "min.": {"minutes", "minute"}, "hr.": {"hour"},
	"hrs.": {"hours"}, "o'clock": {"o'clock"},
}

func abbreviation(word string) [][]string {
	word = strings.Trim(word, ",;:?!()\"'")
	folded := strings.ToLower(word)
	said, ok := abbreviations[folded]
	if !ok && word != folded {
		said = abbreviations[folded+"."]
	}
	if word == "AM" || word == "PM" || word == "A.M." {
		said = []string{folded[:1] + " m", folded[:1] + "m"}
	}
	var forms [][]string
	for _, s := range said {
		forms = append(forms, strings.Fields(s))
	}
	if len(forms) > 0 && word != strings.ToUpper(word) && !strings.HasSuffix(word, ".") {
		forms = append(forms, []string{folded})
	}
	return forms
}

func isMonth(word string) bool {
	full := append(abbreviations[word+"."], word)[0]
	return numeral.Lookup(full).Class == numeral.Month
}

// isHalf reports whether a word is AM or PM in any spelling, such as p.m.
func isHalf(word string) bool {
	word = strings.Trim(strings.ToLower(word), ".,;:?!()")
	return word == "am" || word == "pm" || word == "a.m" || word == "p.m"
}

func isMagnitude(word string) bool {
	return lexicon[word].Class == numeral.Scale
}
