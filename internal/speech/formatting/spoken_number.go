package formatting

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
)

// longestSaid is the maximum number of digits of a number spoken as a whole rather than digit by digit.
const longestSaid = 12

// join returns all combinations of a form of a followed by a form of b, up to mostForms.
func join(a, b [][]string) [][]string {
	var all [][]string
	for _, x := range a {
		for _, y := range b {
			if len(all) < mostForms {
				all = append(all, append(append(make([]string, 0, len(x)+len(y)), x...), y...))
			}
		}
	}
	return all
}

func words(text string) [][]string { return [][]string{strings.Fields(text)} }

// integerForms returns the spoken forms of 650, 2,500, 2026, 0042, #3.
func integerForms(word string) [][]string {
	if rest, ok := strings.CutPrefix(word, "#"); ok && numeral.IsDigits(rest) {
		return append(join(words("number"), integerForms(rest)), integerForms(rest)...)
	}
	if commas.MatchString(word) {
		return wholeForms(strings.ReplaceAll(word, ",", ""))
	}
	if !numeral.IsDigits(word) {
		return nil
	}
	digits := [][]string{numeral.Spell(word, "zero"), numeral.Spell(word, "oh"), numeral.Double(word, "oh")}
	if word[0] == '0' && len(word) > 1 || len(word) > 4 {
		return append(digits, append(wholeForms(word), pairForms(word)...)...)
	}
	switch len(word) {
	case 4:
		if v, _ := strconv.Atoi(word); v >= 2000 && v < 2010 || v%1000 == 0 {
			return append(append(wholeForms(word), pairForms(word)...), digits...)
		}
		return append(append(pairForms(word), wholeForms(word)...), digits...)
	case 3:
		return append(append(wholeForms(word), digits...), pairForms(word)...)
	}
	return append(wholeForms(word), digits...)
}

var commas = regexp.MustCompile(`^\d{1,3}(,\d{3})+$`)

// wholeForms returns the spoken forms of digits as one whole number: two thousand five hundred, twenty five hundred.
func wholeForms(digits string) [][]string {
	if len(digits) > longestSaid {
		return nil
	}
	v, _ := strconv.Atoi(digits)
	forms := [][]string{numeral.Say(v, false)}
	if v > 1000 && v < 10000 && v%100 == 0 && v%1000 != 0 {
		forms = append(forms, append(numeral.Say(v/100, false), "hundred"))
	}
	forms = append(forms, numeral.Say(v, true))
	if first := forms[0]; len(first) > 1 && first[0] == "one" {
		forms = append(forms, append([]string{"a"}, first[1:]...), append([]string{"a"}, numeral.Say(v, true)[1:]...))
	}
	return forms
}

// pairForms returns the spoken forms of digits in pairs from the end: twenty twenty six, six fifty, forty one eleven.
func pairForms(digits string) [][]string {
	if len(digits) < 3 || len(digits) > 2*longestSaid {
		return nil
	}
	var said []string
	if len(digits)%2 == 1 {
		said = numeral.Spell(digits[:1], "oh")
	}
	for k := len(digits) % 2; k < len(digits); k += 2 {
		pair := numeral.SayPair(digits[k : k+2])
		if pair[0] == "hundred" && (len(said) == 0 || k+2 < len(digits)) {
			return nil
		}
		said = append(said, pair...)
	}
	return [][]string{said}
}

// decimalForms returns the spoken forms of 3.5 and 192.168.1.1, and of 10.30 as a time or price.
func decimalForms(word string) [][]string {
	parts := strings.Split(word, ".")
	if len(parts) == 2 {
		parts[0] = strings.ReplaceAll(parts[0], ",", "")
	}
	for k, p := range parts {
		if !numeral.IsDigits(p) && !(k == 0 && p == "" && len(parts) == 2) {
			return nil
		}
	}
	if len(parts) != 2 {
		forms := shortForms(parts[0])
		for _, p := range parts[1:] {
			forms = join(forms, join(words("dot"), shortForms(p)))
		}
		return forms
	}
	whole := [][]string{{}}
	if parts[0] != "" {
		whole = wholeForms(parts[0])
	}
	behind := [][]string{numeral.Spell(parts[1], "zero"), numeral.Spell(parts[1], "oh")}
	forms := append(join(whole, join(words("point"), behind)), join(whole, join(words("dot"), behind))...)
	if parts[0] == "0" {
		forms = append(forms, join(words("point"), behind)...)
	}
	if len(parts[1]) == 2 && parts[0] != "" {
		forms = append(forms, join(whole, [][]string{numeral.SayPair(parts[1])})...)
	}
	return forms
}

// groupForms returns the spoken forms of numbers with hyphens, slashes or brackets: phones, cards, ranges, 24/7.
func groupForms(word string) [][]string {
	parts := strings.FieldsFunc(strings.TrimPrefix(word, "+"), func(r rune) bool {
		return strings.ContainsRune("-/.()–", r)
	})
	digits := strings.Join(parts, "")
	if !numeral.IsDigits(digits) {
		return nil
	}
	spelledOut := [][]string{
		numeral.Spell(digits, "zero"), numeral.Spell(digits, "oh"),
		numeral.Double(digits, "oh"), numeral.Double(digits, "zero"),
	}
	mixed := [][]string{{}}
	for _, p := range parts {
		mixed = join(mixed, shortForms(p))
	}
	if len(digits) >= 7 {
		return append(spelledOut, mixed...)
	}
	var between [][]string
	if len(parts) == 2 && !strings.Contains(word, "/") {
		between = join(integerForms(parts[0]), join([][]string{{"to"}, {"dash"}}, integerForms(parts[1])))
		between = append(between[:min(4, len(between))], mixed...)
	} else {
		between = mixed
	}
	return append(between, spelledOut...)
}

// shortForms returns the three usual spoken forms of a group of digits: one by one, in pairs, as a whole.
func shortForms(digits string) [][]string {
	if len(digits) <= 2 {
		return integerForms(digits)[:1]
	}
	whole := wholeForms(digits)
	return distinct(slices.Concat([][]string{numeral.Spell(digits, "zero")}, pairForms(digits),
		whole[:min(1, len(whole))]))
}

// measures maps units after a number to their full forms.
var measures = map[string][][]string{
	"ish": {{"ish"}}, "hr": {{"hours"}, {"hour"}, {"h", "r"}}, "hrs": {{"hours"}}, "min": {{"minutes"}, {"minute"}},
	"mins": {{"minutes"}}, "lb": {{"pounds"}, {"pound"}}, "lbs": {{"pounds"}}, "oz": {{"ounces"}, {"ounce"}},
	"ft": {{"feet"}, {"foot"}}, "km": {{"kilometers"}, {"k", "m"}}, "kg": {{"kilograms"}, {"kilos"}},
	"mb": {{"megabytes"}, {"m", "b"}}, "gb": {{"gigabytes"}, {"gigs"}, {"g", "b"}}, "tb": {{"terabytes"}, {"t", "b"}},
	"mbps": {{"megabits", "per", "second"}, {"m", "b", "p", "s"}}, "mph": {{"miles", "per", "hour"}, {"m", "p", "h"}},
	"x": {{"times"}, {"x"}}, "s": {{"s"}}, "am": {{"a", "m"}, {"am"}}, "pm": {{"p", "m"}, {"pm"}},
	"st": {{"s", "t"}, {"street"}}, "bn": {{"billion"}},
}

// mixedForms returns the spoken forms of mixed letters and digits, run by run: 4b, 3d, 401k, w2, covid-19.
func mixedForms(word string) [][]string {
	forms := [][]string{{}}
	for _, run := range numeral.Runs(word) {
		switch said := measures[run]; {
		case said != nil:
			forms = join(forms, said)
		case numeral.IsDigits(run) && len(run) <= longestSaid:
			forms = join(forms, distinct(integerForms(run)))
		case numeral.IsDigits(run):
			forms = join(forms, [][]string{numeral.Spell(run, "zero")})
		case len(run) <= 3 && strings.IndexFunc(run, notLetter) < 0:
			letters := [][]string{strings.Split(run, ""), {run}}
			if strings.ContainsAny(run, "aeiou") {
				slices.Reverse(letters)
			}
			forms = join(forms, distinct(letters))
		default:
			forms = join(forms, [][]string{{run}})
		}
	}
	return append(forms, []string{word})
}
