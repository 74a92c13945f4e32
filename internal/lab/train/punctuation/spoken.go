package main

import (
	"strconv"
	"strings"
	"unicode"

	"parley/internal/words/numeral"
)

// speak converts a written field to spoken words: lower case, compounds split, numbers in words.
func speak(field string) []string {
	field = strings.ToLower(field)
	field = strings.NewReplacer("&", " and ", "%", " percent ", "@", " at ", "a.m.", " a m", "p.m.",
		" p m").Replace(field)
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
	for i, group := range numeral.Runs(plain) {
		if group[0] >= '0' && group[0] <= '9' {
			out = append(out, speakDigits(group, plain == p)...)
			if money && i == 0 {
				out = append(out, "dollars")
			}
			continue
		}
		switch group {
		case "st", "nd", "rd", "th":
			if last := len(out) - 1; last >= 0 {
				out[last] = numeral.OrdinalOf(out[last])
			}
		case "am", "pm":
			out = append(out, group[:1], "m")
		default:
			out = append(out, group)
		}
	}
	return out
}

// speakDigits speaks a group of digits; years only where there was no thousands mark.
func speakDigits(d string, year bool) []string {
	n, err := strconv.Atoi(d)
	switch {
	case err != nil || len(d) > 6 || len(d) > 1 && d[0] == '0':
		return numeral.Spell(d, "zero")
	case year && len(d) == 4 && n >= 1100 && n < 2100 && n%1000 >= 10:
		return append(numeral.Say(n/100, false), numeral.Say(n%100, false)...)
	}
	return numeral.Say(n, false)
}
