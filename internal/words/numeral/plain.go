package numeral

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:generate go run gen_numerals.go -version 15.0.0

// Plain rewrites the words of a turn in Unicode normal form KC, with all numerals as 0 to 9, with one character for
// each kind of dash, comma and slash, and without invisible characters. Letters that are also digits are converted if
// they form a number; english means that such letters are not expected otherwise.
func Plain(words []string, english bool) {
	for i, word := range words {
		words[i] = plain(word)
	}
	digitLetters(words, english)
}

// plain is Plain for one word without letter digits.
func plain(word string) string {
	if ascii(word) {
		return word
	}
	var b strings.Builder
	digit := false // the previous character is a digit
	for _, r := range word {
		value, ok := numeralOf(r)
		switch {
		case ok:
			b.WriteString(value)
		case unseen(r, digit):
			continue
		case unicode.Is(unicode.Pd, r), r == '−', r == '⁃', r == '˗':
			b.WriteByte('-')
		case signs[r] != 0:
			b.WriteByte(signs[r])
		default:
			b.WriteRune(r)
		}
		digit = ok
	}
	return norm.NFKC.String(b.String())
}

func ascii(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unseen reports whether a character is invisible, or changes only the look of a preceding digit: soft hyphens,
// joiners, strokes, the frame of a keycap.
func unseen(r rune, digit bool) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector) || digit && unicode.In(r, unicode.Mn, unicode.Me)
}

// signs maps separators between digits to their ASCII equivalents.
var signs = map[rune]byte{'٬': ',', '،': ',', '、': ',', '٫': '.', '∕': '/', '⁄': '/', '·': '.', '・': '.', '•': '.'}

// numeralOf returns the digits of a numeral character.
func numeralOf(r rune) (digits string, ok bool) {
	switch {
	case r < utf8.RuneSelf:
		return string(r), r >= '0' && r <= '9'
	case unicode.Is(unicode.Nd, r):
		return strconv.Itoa(int(r-zero(r)) % 10), true
	}
	i := sort.Search(len(numerals), func(i int) bool { return numerals[i].last >= r })
	if i == len(numerals) || numerals[i].first > r {
		return "", false
	}
	return strconv.Itoa(numerals[i].value + int(r-numerals[i].first)*numerals[i].step), true
}

// numeralRun is a range of adjacent numeral characters.
type numeralRun struct {
	first, last rune
	value, step int // value of the first, and the difference between neighbours
}

// zero returns the first character of the range of decimal digits that contains r. The digits of a script are
// consecutive, from zero to nine, so a range of adjoining scripts is a multiple of ten long (Unicode Standard, section
// 4.6).
func zero(r rune) rune {
	for _, of := range unicode.Nd.R16 {
		if uint32(r) >= uint32(of.Lo) && uint32(r) <= uint32(of.Hi) {
			return rune(of.Lo)
		}
	}
	for _, of := range unicode.Nd.R32 {
		if uint32(r) >= of.Lo && uint32(r) <= of.Hi {
			return rune(of.Lo)
		}
	}
	return r
}
