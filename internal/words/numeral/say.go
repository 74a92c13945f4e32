package numeral

import "strconv"

// Say returns the words of a whole number from 0 to 999,999,999,999,999, with or without "and" after hundreds.
func Say(v int, and bool) []string {
	if v == 0 {
		return []string{"zero"}
	}
	var said []string
	for k := len(scales) - 1; k >= 0; k-- {
		if value := entries[scales[k]].Value; v >= value {
			said, v = append(append(said, Say(v/value, and)...), scales[k]), v%value
		}
	}
	if v >= 100 {
		said, v = append(said, Digits[v/100], "hundred"), v%100
	}
	if v > 0 && and && len(said) > 0 {
		said = append(said, "and")
	}
	switch {
	case v >= 20 && v%10 > 0:
		return append(said, tens[v/10-2], Digits[v%10])
	case v >= 20:
		return append(said, tens[v/10-2])
	case v >= 10:
		return append(said, teens[v-10])
	case v > 0:
		return append(said, Digits[v])
	}
	return said
}

// SayOrdinal is Say for an ordinal number.
func SayOrdinal(v int, and bool) []string {
	said := Say(v, and)
	said[len(said)-1] = OrdinalOf(said[len(said)-1])
	return said
}

// OrdinalOf returns the ordinal of the last word of a number: second, twentieth, hundredth.
func OrdinalOf(word string) string {
	switch e := entries[word]; {
	case e.Class == Digit && e.Value > 0:
		return digitOrdinals[e.Value-1]
	case e.Class == Teen:
		return teenOrdinals[e.Value-10]
	case e.Class == Ten:
		return tensOrdinals[e.Value/10-2]
	}
	return word + "th"
}

// SayPair says two digits as in a year or house number: 05 is oh five, 00 is hundred.
func SayPair(two string) []string {
	v, _ := strconv.Atoi(two)
	switch {
	case v == 0:
		return []string{"hundred"}
	case v < 10:
		return []string{"oh", Digits[v]}
	}
	return Say(v, false)
}

// SayDecade returns the name of a decade from its tens digit: eighties.
func SayDecade(tens byte) string { return decades[tens-'2'] }

// Spell returns the digits one by one, with the given name for zero.
func Spell(digits, zero string) []string {
	said := make([]string, len(digits))
	for i := range digits {
		if said[i] = Digits[digits[i]-'0']; digits[i] == '0' {
			said[i] = zero
		}
	}
	return said
}

// Double is Spell with double and triple for repeated digits.
func Double(digits, zero string) []string {
	var said []string
	for i := 0; i < len(digits); {
		n := 1
		for n < 3 && i+n < len(digits) && digits[i+n] == digits[i] {
			n++
		}
		if n > 1 {
			said = append(said, []string{"double", "triple"}[n-2])
		}
		said, i = append(said, Spell(digits[i:i+1], zero)...), i+n
	}
	return said
}
