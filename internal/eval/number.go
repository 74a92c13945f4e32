package eval

import (
	"strconv"
	"strings"
)

var units = map[string]int{
	"zero": 0, "oh": 0, "o": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
	"eighty": 80, "ninety": 90,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

var scales = map[string]int{"hundred": 100, "thousand": 1000, "million": 1000000, "hundredth": 100, "thousandth": 1000}

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

// number reads one number at the start of the pieces and returns its digits and how many pieces it took.
func number(pieces []Token) (string, int) {
	first := pieces[0].Text
	if f := figures(first); f != "" {
		return f, 1
	}
	value, ok := units[first]
	if !ok || (first == "oh" || first == "o") && !(len(pieces) > 1 && numeral(pieces[1].Text)) {
		return "", 0
	}
	total, used := 0, 1
	for used < len(pieces) {
		next := pieces[used].Text
		unit, isUnit := units[next]
		scale, isScale := scales[next]
		switch {
		case isScale && scale > 100:
			total, value = total+value*scale, 0
		case isScale && value > 0 && value < 100:
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

// fits tells whether a unit continues the number: twenty + five, one hundred + twelve, two thousand + six.
func fits(total, value, unit int) bool {
	switch {
	case value == 0:
		return total > 0
	case value%100 == 0:
		return unit < 100
	}
	return value%10 == 0 && value%100 >= 20 && unit < 10
}

func numeral(word string) bool {
	_, unit := units[word]
	return unit || figures(word) != ""
}

// figures returns the digits of 42, 4th and 1980s, empty for anything else.
func figures(word string) string {
	f := strings.TrimRight(word, "sthndr")
	if f == "" || strings.IndexFunc(f, func(r rune) bool { return r < '0' || r > '9' }) >= 0 {
		return ""
	}
	return f
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
