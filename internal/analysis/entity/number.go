package entity

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

var (
	figureShape = regexp.MustCompile(`^#?\d[\d,.\-/]*(?:%|st|nd|rd|th|k|m)?$`)
	phoneShape  = regexp.MustCompile(
		`^(?:\+?1[-.]?)?(?:\(\d{3}\)-?|\d{3}[-.])\d{3}[-.]\d{4}$|^\d{3}[-.]\d{4}$|^\+\d[\d\-]{8,16}\d$`)
	wholeShape = regexp.MustCompile(`^\d{1,3}(?:,\d{3})+$|^\d{1,15}$`)
	currencies = map[string]string{"dollar": "$", "dollars": "$", "buck": "$", "bucks": "$", "usd": "$", "euro": "€",
		"euros": "€", "quid": "£", "sterling": "£"}
)

// value parses a whole number at i, in figures or a word below ten, with the following scale words: 2.5 million, a
// hundred. If there is no number, next is i.
func (s *stretch) value(i int) (centis, next int) {
	form := s.form(i)
	switch e := s.entry(i); {
	case e.Class == numeral.Digit:
		centis = e.Value * 100
	case (form == "a" || form == "an") && numeral.Magnitude(s.form(i+1)) > 0:
		centis = 100
	case s.match(wholeShape, i) != nil:
		v, _ := strconv.Atoi(strings.ReplaceAll(form, ",", ""))
		centis = v * 100
	case s.figure(i) != "" && decimal(form):
		f, _ := strconv.ParseFloat(form, 64)
		centis = int(f*100 + .5)
	default:
		return 0, i
	}
	return s.scaled(centis, i+1)
}

// scaled multiplies a value by the scale words from i on.
func (s *stretch) scaled(centis, i int) (scaled, next int) {
	for ; ; i++ {
		scale := numeral.Magnitude(s.form(i))
		if scale == 0 || centis >= 1e15/scale {
			return centis, i
		}
		centis *= scale
	}
}

func decimal(form string) bool {
	whole, fraction, ok := strings.Cut(form, ".")
	return ok && len(whole) < 10 && len(fraction) < 4 && numeral.IsDigits(whole) && numeral.IsDigits(fraction)
}

// money parses $240, $2.5 million, 20 bucks, a hundred dollars, 50 cents.
func (s *stretch) money(i int) (hit, bool) {
	if m, ok := numeral.ReadMoney(s.figure(i)); ok {
		whole, err := strconv.Atoi(m.Whole)
		if err != nil || whole > 1e13 {
			return hit{}, false
		}
		centi, _ := strconv.Atoi((m.Fraction + "00")[:2])
		return s.amount(i, i+1, m.Currency, (whole*100+centi)*max(1, numeral.Magnitude(m.Scale)))
	}
	centis, next := s.value(i)
	switch unit := s.form(next); {
	case next == i:
	case currencies[unit] != "":
		return s.amount(i, next+1, currencies[unit], centis)
	case unit == "cents" || unit == "cent":
		return s.amount(i, next+1, "$", centis/100)
	}
	return hit{}, false
}

// amount returns the hit of an amount, including the scale words after it.
func (s *stretch) amount(from, next int, currency string, centis int) (hit, bool) {
	centis, next = s.scaled(centis, next)
	m := &Money{int64(centis / 100), int64(centis % 100)}
	return hit{from, next, Amount, fmt.Sprintf("%s%d.%02d", currency, m.Whole, m.Centi), m}, true
}

// phoneCues are words near which bare digits are a phone number.
var phoneCues = phrase.Set("phone cell mobile call reach telephone landline callback dial fax line")

// otherCues are words near which bare digits are another kind of number.
var otherCues = phrase.Set("account order policy card social confirmation reference tracking serial member routing " +
	"invoice ticket case claim")

// phone parses 650-897-5170, (650) 897-5170, 1-800-555-1212, and ten digits that a cue calls a phone number.
func (s *stretch) phone(i int) (hit, bool) {
	if s.figure(i) == "" {
		return hit{}, false
	}
	text, next := s.form(i), i+1
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && s.form(next) != "" {
		text, next = text+"-"+s.form(next), next+1
	}
	if (text == "1" || text == "+1") && s.match(phoneShape, next) != nil {
		text, next = text+"-"+s.form(next), next+1
	}
	bare := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, text)
	cued := numeral.IsDigits(text) && (len(text) == 10 || len(text) == 7) && s.cued(i, phoneCues) &&
		!s.cued(i, otherCues)
	if cued || phoneShape.MatchString(text) {
		return hit{i, next, Phone, bare, nil}, true
	}
	return hit{}, false
}

// cued reports whether one of the words occurs at most five words before i.
func (s *stretch) cued(i int, cues map[string]bool) bool {
	for k := max(0, i-5); k < i; k++ {
		if cues[s.form(k)] {
			return true
		}
	}
	return false
}

// number parses any other number from two on, percentages and codes.
func (s *stretch) number(i int) (hit, bool) {
	form := s.form(i)
	if s.match(figureShape, i) != nil {
		if ordinal(form) {
			return hit{}, false
		}
		next := i + 1
		for numeral.Magnitude(s.form(next)) > 0 {
			next++
		}
		return hit{i, next, Number, strings.Trim(strings.Join(s.forms(i, next), " "), ",.-/#"), nil}, true
	}
	centis, next := s.value(i)
	if next == i || form == "one" && next == i+1 {
		return hit{}, false
	}
	return hit{i, next, Number, strconv.Itoa(centis / 100), nil}, true
}

func (s *stretch) forms(from, to int) []string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, s.form(i))
	}
	return all
}

// joined joins tokens without a space before punctuation.
func (s *stretch) joined(from, to int) string {
	var b strings.Builder
	for i, t := range s.tokens[from:to] {
		if i > 0 && !t.mark {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

func ordinal(form string) bool {
	return len(form) > 2 && strings.Contains("st nd rd th", form[len(form)-2:])
}
