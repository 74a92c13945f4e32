package eval

import (
	"strconv"
	"strings"

	"parley/internal/words/numeral"
)

// digits replaces every number, in words or figures, by its digits, one token each: "nineteen eighty five",
// "one thousand nine hundred eighty five" and "1985" are all 1 9 8 5.
func digits(pieces []Token) []Token {
	var out []Token
	for i := 0; i < len(pieces); {
		text, used := number(pieces[i:])
		if used == 0 {
			out = append(out, pieces[i])
			i++
			continue
		}
		for j := range text {
			out = append(out, Token{Text: text[j : j+1], Word: pieces[i].Word, Number: true})
		}
		i += used
	}
	return out
}

// number parses one number at the start of the pieces, and returns its digits and the number of pieces consumed.
func number(pieces []Token) (string, int) {
	first := pieces[0].Text
	if f := figures(first); f != "" {
		return f, 1
	}
	value, ok := unit(first)
	if !ok || (first == "oh" || first == "o") && !(len(pieces) > 1 && isNumber(pieces[1].Text)) {
		return "", 0
	}
	total, used := 0, 1
	for used < len(pieces) {
		next := pieces[used].Text
		unit, isUnit := unit(next)
		scale := scale(next)
		switch {
		case scale > 100:
			total, value = total+value*scale, 0
		case scale > 0 && value > 0 && value < 100:
			value *= scale
		case isUnit && unit > 0 && fits(total, value, unit):
			value += unit
		default:
			return strconv.Itoa(total + value), used
		}
		used++
	}
	return strconv.Itoa(total + value), used
}

// unit returns the value of a word that is added to those before it.
func unit(word string) (value int, ok bool) {
	e := numeral.Lookup(word)
	return e.Value, e.Value < 100 && e.In(numeral.Digit, numeral.Oh, numeral.Teen, numeral.Ten, numeral.Ordinal)
}

// scale returns the factor by which a word multiplies the words before it, at most a million; 0 if it is not a scale
// word.
func scale(word string) int {
	if e := numeral.Lookup(word); e.Value >= 100 && e.Value <= 1_000_000 {
		return e.Value
	}
	return 0
}

// fits reports whether a unit continues the number: twenty + five, one hundred + twelve, two thousand + six.
func fits(total, value, unit int) bool {
	switch {
	case value == 0:
		return total > 0
	case value%100 == 0:
		return unit < 100
	}
	return value%10 == 0 && value%100 >= 20 && unit < 10
}

func isNumber(word string) bool {
	_, ok := unit(word)
	return ok || figures(word) != ""
}

// figures returns the digits of 42, 4th and 1980s, empty for anything else.
func figures(word string) string {
	if f := strings.TrimRight(word, "sthndr"); numeral.IsDigits(f) {
		return f
	}
	return ""
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
