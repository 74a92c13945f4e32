package main

import (
	"strconv"
	"strings"
	"unicode"
)

var (
	small = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
		seventeen eighteen nineteen`)
	tens     = strings.Fields(`- - twenty thirty forty fifty sixty seventy eighty ninety`)
	ordinals = map[string]string{
		"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth",
	}
)

// speak returns a written field as the words one says: lower case, compounds apart, numbers in words.
func speak(field string) []string {
	field = strings.ToLower(field)
	field = strings.NewReplacer("&", " and ", "%", " percent ", "@", " at ", "a.m.", " a m", "p.m.", " p m").Replace(field)
	var out []string
	for _, f := range strings.Fields(field) {
		money := strings.HasPrefix(strings.TrimLeft(f, `"(`), "$")
		for _, p := range strings.FieldsFunc(f, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'.,:", r)
		}) {
			out = append(out, speakPiece(strings.Trim(p, "'.,:"), money)...)
		}
	}
	return out
}

func speakPiece(p string, money bool) []string {
	if !strings.ContainsAny(p, "0123456789") {
		return strings.FieldsFunc(p, func(r rune) bool { return strings.ContainsRune(".,:", r) })
	}
	var out []string
	plain := strings.ReplaceAll(p, ",", "")
	for i, group := range groups(plain) {
		if group[0] >= '0' && group[0] <= '9' {
			out = append(out, speakDigits(group, plain == p)...)
			if money && i == 0 {
				out = append(out, "dollars")
			}
			continue
		}
		switch group {
		case "st", "nd", "rd", "th":
			out = ordinal(out)
		case "am", "pm":
			out = append(out, group[:1], "m")
		default:
			out = append(out, group)
		}
	}
	return out
}

// groups cuts 7:30pm into 7, 30, pm.
func groups(p string) []string {
	var all []string
	var kind int
	for _, r := range p {
		k := 0
		switch {
		case unicode.IsDigit(r) && r < 128:
			k = 1
		case unicode.IsLetter(r) || r == '\'':
			k = 2
		}
		if k != 0 && k == kind {
			all[len(all)-1] += string(r)
		} else if k != 0 {
			all = append(all, string(r))
		}
		kind = k
	}
	return all
}

// speakDigits speaks a group of digits; years only where there was no thousands mark.
func speakDigits(d string, year bool) []string {
	n, err := strconv.Atoi(d)
	switch {
	case err != nil || len(d) > 6 || len(d) > 1 && d[0] == '0':
		var out []string
		for _, r := range d {
			out = append(out, small[r-'0'])
		}
		return out
	case d == "00":
		return nil
	case year && len(d) == 4 && n >= 1100 && n < 2100 && n%1000 >= 10:
		return append(cardinal(n/100), cardinal(n%100)...)
	}
	return cardinal(n)
}

func cardinal(n int) []string {
	switch {
	case n < 20:
		return small[n : n+1 : n+1]
	case n < 100 && n%10 == 0:
		return []string{tens[n/10]}
	case n < 100:
		return []string{tens[n/10], small[n%10]}
	case n < 1000 && n%100 == 0:
		return []string{small[n/100], "hundred"}
	case n < 1000:
		return append([]string{small[n/100], "hundred"}, cardinal(n%100)...)
	case n%1000 == 0:
		return append(cardinal(n/1000), "thousand")
	}
	return append(append(cardinal(n/1000), "thousand"), cardinal(n%1000)...)
}

func ordinal(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	last := words[len(words)-1]
	if o, ok := ordinals[last]; ok {
		last = o
	} else {
		last = strings.TrimSuffix(strings.TrimSuffix(last, "t"), "y")
		if strings.HasSuffix(words[len(words)-1], "y") {
			last += "ie"
		} else {
			last = words[len(words)-1]
		}
		last += "th"
	}
	return append(words[:len(words)-1:len(words)-1], last)
}
