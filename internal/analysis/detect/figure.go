package detect

import (
	"regexp"
	"strings"
	"unicode"
)

// form is the written form of a word with digits.
type form uint8

// The forms.
const (
	mixed   form = iota // letters and a few digits: 5pm, b2b, 3rd
	code                // digits, perhaps in groups: 4111, 650-897-5170
	amount              // $138.65, 50%, 1,250, 3.5
	clock               // 10:30
	date                // 4/12/1985, 1985-04-12, 04/27
	email               // j.smith@example.com
	mailbox             // the 42 of 42@example.com: counts as a number only if it is part of a longer one
)

// figure is a word with digits.
type figure struct {
	form   form
	digits string
	groups string // the lengths of its groups: 334 for 650-897-5170
	whole  string // the digits before a decimal point: 536228741 for 536,228,741.00
	loose  bool   // looks like an amount, a time or a name, but may be part of a number: 4,929, 4929x
}

var (
	amountShape = regexp.MustCompile(
		`^[$€£¥]|%$|^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$|^[+-]?\d*\.\d{1,2}$|^[+-]?\d+\.\d+[km]?$`)
	clockShape = regexp.MustCompile(`^\d{1,2}[:.]\d{2}(:\d{2})?([ap]\.?m\.?)?$`)
	hoursShape = regexp.MustCompile(`\d\s?[apAP]\.?[mM]`)
	dateShape  = regexp.MustCompile(
		`^(\d{1,2}[/-]\d{1,2}[/-](\d{4}|\d{2})|\d{4}[/-]\d{1,2}[/-]\d{1,2}|\d{1,2}/(\d{4}|\d{2}))$`)
)

// decimals matches the digits after the decimal point of an amount, and its unit.
var decimals = regexp.MustCompile(`[.,](\d{1,2})\D?$`)

// longestAmount is a number of digits that no spoken amount has.
const longestAmount = 13

// readFigure parses a word with digits.
func readFigure(word string) figure {
	f := figure{}
	if at := strings.IndexByte(word, '@'); at > 0 && strings.Contains(word[at:], ".") {
		f.form = email
		return f
	}
	letters := 0
	var digits, groups strings.Builder
	run := 0
	for _, r := range word + " " {
		if r >= '0' && r <= '9' {
			digits.WriteRune(r)
			run++
			continue
		}
		if run > 0 {
			groups.WriteByte(byte('0' + min(run, 'z'-'0')))
		}
		run = 0
		if unicode.IsLetter(r) {
			letters++
		}
	}
	f.digits, f.groups = digits.String(), groups.String()
	f.whole = f.digits
	if m := decimals.FindStringSubmatch(word); m != nil {
		f.whole = f.digits[:len(f.digits)-len(m[1])]
	}
	switch {
	case hoursShape.MatchString(word):
		f.form = clock
	case clockShape.MatchString(word) && !strings.Contains(word, "."):
		f.form, f.loose = clock, letters == 0
	case dateShape.MatchString(word):
		f.form = date
	case amountShape.MatchString(word) && len(f.digits) < longestAmount:
		f.form, f.loose = amount, letters == 0 && (len(f.whole) >= shortestShape || !strings.ContainsAny(word, "$€£¥%"))
	case letters == 0 || len(f.digits) >= 7 && len(f.digits) > letters:
		f.form = code
	default:
		f.loose = letters == 1 && len(f.digits) > 1
	}
	return f
}
