package numeral

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	moneyShape = regexp.MustCompile(`^([$€£])(\d[\d,]*)(?:\.(\d+))?(k|m|bn|b)?$`)
	timeShape  = regexp.MustCompile(`^(\d{1,2})(?:[:.](\d\d))?([ap])\.?m\.?$|^(\d{1,2}):(\d\d)$`)
	dateShape  = regexp.MustCompile(`^(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d\d))?$|^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$`)
	suffixes   = map[string]string{"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}
)

// IsDigits reports whether a text consists of the digits 0–9 only.
func IsDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Group writes digits in groups of three: 1,250.
func Group(digits, separator string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + separator + digits[i:]
	}
	return digits
}

// Magnitude returns the factor of a word or suffix after a number: hundred, million, k; 0 for other words.
func Magnitude(word string) int {
	if len(word) <= 2 {
		word = suffixes[word]
	}
	if e := entries[word]; e.Class == Hundred || e.Class == Scale {
		return e.Value
	}
	return 0
}

// match returns the submatches of a word that contains digits, nil if it does not match.
func match(shape *regexp.Regexp, word string) []string {
	if !strings.ContainsAny(word, "0123456789") {
		return nil // fast path for most words
	}
	return shape.FindStringSubmatch(word)
}

// Money is an amount of money in figures. Whole and Fraction are digits, Scale is a word; the last two may be empty.
type Money struct{ Currency, Whole, Fraction, Scale string }

// ReadMoney reads $138.65, €1,250 and £50k.
func ReadMoney(word string) (Money, bool) {
	m := match(moneyShape, word)
	if m == nil {
		return Money{}, false
	}
	return Money{m[1], strings.ReplaceAll(m[2], ",", ""), m[3], suffixes[m[4]]}, true
}

// ReadOrdinal returns the digits of 21st.
func ReadOrdinal(word string) (digits string, ok bool) {
	n := max(len(word)-2, 0)
	switch word[n:] {
	case "st", "nd", "rd", "th":
		return word[:n], IsDigits(word[:n])
	}
	return "", false
}

// ReadTime reads 10:30, 10:30am and 9pm. minute and half (am or pm) are empty if absent.
func ReadTime(word string) (hour, minute, half string, ok bool) {
	m := match(timeShape, word)
	if m == nil {
		return "", "", "", false
	}
	if m[3] != "" {
		half = m[3] + "m"
	}
	return m[1] + m[4], m[2] + m[5], half, true
}

// ReadDate reads 11/20/2026, 11/20 and 2026-11-20; year is empty if absent.
func ReadDate(word string) (month, day, year string, ok bool) {
	m := match(dateShape, word)
	if m == nil {
		return "", "", "", false
	}
	return m[1] + m[5], m[2] + m[6], m[3] + m[4], true
}

// Telephone formats ten digits, or eleven that begin with 1, as a telephone number. It returns "" for an invalid
// number: neither area code nor exchange begins with 0 or 1 (North American Numbering Plan).
func Telephone(digits string) string {
	prefix := ""
	if len(digits) == 11 && digits[0] == '1' {
		prefix, digits = "1-", digits[1:]
	}
	if len(digits) != 10 || digits[0] < '2' || digits[3] < '2' {
		return ""
	}
	return prefix + digits[:3] + "-" + digits[3:6] + "-" + digits[6:]
}

// Runs splits a word into runs of digits and of letters and drops all other characters.
func Runs(word string) []string {
	var list []string
	last := 0
	for _, r := range word {
		kind := 0
		switch {
		case r >= '0' && r <= '9':
			kind = 1
		case unicode.IsLetter(r), r == '\'':
			kind = 2
		}
		if kind != 0 && kind == last {
			list[len(list)-1] += string(r)
		} else if kind != 0 {
			list = append(list, string(r))
		}
		last = kind
	}
	return list
}
