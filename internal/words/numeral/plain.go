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

// Plain rewrites the words of a turn in Unicode normal form KC, with every sign for a number as 0 to 9, with one sign
// for each kind of dash, comma and slash, and without what is not seen. Digits that are letters as well are written in
// figures where they make a number; english: no other letters of their kind are expected.
func Plain(words []string, english bool) {
	for i, word := range words {
		words[i] = plain(word)
	}
	digitLetters(words, english)
}

// plain is Plain for one word without digits that are letters.
func plain(word string) string {
	if ascii(word) {
		return word
	}
	var b strings.Builder
	digit := false // the sign before is one
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

// unseen reports whether a sign is not seen, or changes only the look of a digit before it: soft hyphens, joiners,
// strokes, the frame of a keycap.
func unseen(r rune, digit bool) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector) || digit && unicode.In(r, unicode.Mn, unicode.Me)
}

// signs are written for others between digits.
var signs = map[rune]byte{'٬': ',', '،': ',', '、': ',', '٫': '.', '∕': '/', '⁄': '/', '·': '.', '・': '.', '•': '.'}

// numeralOf returns the digits of a sign that stands for a number.
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

// numeralRun is signs for numbers that follow each other.
type numeralRun struct {
	first, last rune
	value, step int // of the first, and from one to the next
}

// zero is where the run of decimal digits begins that a digit belongs to. Those of a script follow each other from zero
// to nine, and runs that touch are tens (Unicode Standard, section 4.6).
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
