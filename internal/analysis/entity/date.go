package entity

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

var (
	fractions = phrase.Set("1/2 1/3 2/3 1/4 3/4 1/8")
	weekdays  = phrase.Set("monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays " +
		"thursdays fridays saturdays sundays")
	nearby   = phrase.Set("today tomorrow yesterday tonight")
	periods  = phrase.Set("week month year weekend quarter spring summer fall autumn winter")
	which    = phrase.Set("next last this past coming following")
	holidays = phrase.Set("christmas thanksgiving easter halloween hanukkah ramadan juneteenth")
	dating   = phrase.Set("in of since until till by last next this early late mid before after during around from to " +
		"through between or and on for")
	ofYears = phrase.Set("in since of from until till by back during before after year to through around")
	feastly = phrase.Set("new labor memorial independence valentine mother father black cyber christmas fourth")
	feasts  = []string{"new year eve", "new year day", "new years eve", "new years day", "labor day", "memorial day",
		"independence day", "valentine day", "mother day", "father day", "black friday", "cyber monday",
		"christmas eve", "christmas day", "fourth of july"}

	yearShape = regexp.MustCompile(`^(?:19|20)\d\d$`)
)

// date parses days, weekdays, months, years, holidays, and relative dates such as today.
func (s *stretch) date(i int) (hit, bool) {
	for _, kind := range []func(int) (int, string){
		s.slashes, s.monthDay, s.dayOfMonth, s.weekday, s.relative, s.feast, s.theDay, s.year, s.month} {
		if next, formatted := kind(i); next > i {
			if text := s.joined(i, next); formatted == "" && strings.ContainsAny(text, "0123456789") {
				formatted = text
			}
			return hit{from: i, to: next, kind: Date, formatted: formatted}, true
		}
	}
	return hit{}, false
}

// slashes parses 11/20/2026.
func (s *stretch) slashes(i int) (int, string) {
	form := s.form(i)
	month, day, year, ok := numeral.ReadDate(form)
	if !ok || !strings.Contains(form, "/") && year == "" {
		return i, ""
	}
	if year == "" && fractions[form] && !s.is(i-1, "on", "by", "until", "till", "since", "before", "after", "from") {
		return i, ""
	}
	if mm, _ := strconv.Atoi(month); mm < 1 || mm > 31 {
		return i, ""
	}
	if dd, _ := strconv.Atoi(day); dd < 1 || dd > 31 {
		return i, ""
	}
	return i + 1, form
}

// monthOf returns the number of the month at i, from 1; 0 if there is none.
func (s *stretch) monthOf(i int) int {
	if e := s.entry(i); e.Class == numeral.Month {
		return e.Value
	}
	return slices.IndexFunc(numeral.Months, func(name string) bool { return s.form(i) == name[:3] }) + 1
}

// dayAt returns the day at i, from 1; 0 if there is none.
func (s *stretch) dayAt(i int) int {
	form := s.figure(i)
	if form == "" {
		if e := s.entry(i); e.Class == numeral.Ordinal && e.Value <= 31 {
			return e.Value
		}
		return 0
	}
	digits, ok := numeral.ReadOrdinal(form)
	if !ok {
		digits = form
	}
	day, err := strconv.Atoi(digits)
	if err != nil || digits[0] < '1' || digits[0] > '9' || day > 31 {
		return 0
	}
	return day
}

// yearAt returns the token after the year at i, which a comma may precede, and the year.
func (s *stretch) yearAt(i int) (int, string) {
	if at := s.comma(i); at < len(s.tokens) && s.match(yearShape, at) != nil {
		return at + 1, s.form(at)
	}
	return i, ""
}

// monthDay parses November 20, 2026; the day may be "the 20th".
func (s *stretch) monthDay(i int) (int, string) {
	month := s.monthOf(i)
	if month == 0 {
		return i, ""
	}
	at := i + 1
	if s.is(at, "the") {
		at++
	}
	day := s.dayAt(at)
	if year, y := s.yearAt(i + 1); day == 0 && y != "" {
		return year, name(month) + " " + y
	}
	if day == 0 {
		return i, ""
	}
	next, year := s.yearAt(at + 1)
	return next, written(month, day, year)
}

// dayOfMonth parses the 20th of November, third of july 2026, 20 November.
func (s *stretch) dayOfMonth(i int) (int, string) {
	at := i
	if s.is(at, "the") {
		at++
	}
	day := s.dayAt(at)
	if at++; s.is(at, "of", "day") {
		at++
	}
	month := s.monthOf(at)
	if day == 0 || month == 0 || month == 5 && !s.is(at-1, "of") { // "five may call" is not a date
		return i, ""
	}
	next, year := s.yearAt(at + 1)
	return next, written(month, day, year)
}

func name(month int) string {
	return strings.ToUpper(numeral.Months[month-1][:1]) + numeral.Months[month-1][1:]
}

func written(month, day int, year string) string {
	if year == "" {
		return fmt.Sprintf("%s %d", name(month), day)
	}
	return fmt.Sprintf("%s %d, %s", name(month), day, year)
}

// weekday parses next Tuesday, Monday the 15th, Friday, March 6th.
func (s *stretch) weekday(i int) (int, string) {
	at := i
	if which[s.form(at)] {
		at++
	}
	if !weekdays[s.form(at)] {
		return i, ""
	}
	at++
	if next, _ := s.monthDay(s.comma(at)); next > s.comma(at) {
		return next, ""
	}
	if s.is(at, "the") && s.dayAt(at+1) > 0 {
		return at + 2, ""
	}
	return at, ""
}

// relative parses today, next week, the day after tomorrow.
func (s *stretch) relative(i int) (int, string) {
	switch {
	case nearby[s.form(i)]:
		return i + 1, ""
	case which[s.form(i)] && periods[s.form(i+1)]:
		return i + 2, ""
	case s.is(i, "day") && s.is(i+1, "after", "before") && nearby[s.form(i+2)]:
		return i + 3, ""
	}
	return i, ""
}

func (s *stretch) feast(i int) (int, string) {
	for n := 3; n > 1 && feastly[s.form(i)]; n-- {
		if i+n <= len(s.tokens) && slices.Contains(feasts, strings.Join(s.forms(i, i+n), " ")) {
			return i + n, ""
		}
	}
	if holidays[s.form(i)] {
		return i + 1, ""
	}
	return i, ""
}

// theDay parses the 30th.
func (s *stretch) theDay(i int) (int, string) {
	_, ordinal := numeral.ReadOrdinal(s.form(i + 1))
	ended := s.ends(i + 2)
	if s.is(i, "the") && s.is(i-1, "on", "by", "until", "till", "since", "before", "after", "from") &&
		s.dayAt(i+1) > 0 && (ended || ordinal && s.is(i+2, "at", "and", "or", "between", "in", "i", "to", "if")) {
		return i + 2, ""
	}
	return i, ""
}

func (s *stretch) year(i int) (int, string) {
	if s.match(yearShape, i) != nil && (ofYears[s.form(i-1)] || s.monthOf(i-1) > 0) {
		return i + 1, s.form(i)
	}
	return i, ""
}

// month parses a month alone. March and may are also verbs.
func (s *stretch) month(i int) (int, string) {
	month := s.monthOf(i)
	if month == 0 {
		return i, ""
	}
	if f := s.form(i); (f == "march" || f == "may" || f == "mar" || f == "sun" || f == "jan") && !s.properAt(i) &&
		(!dating[s.form(i-1)] || s.is(i-1, "and", "or", "to") && s.monthOf(i-2) == 0) {
		return i, ""
	}
	return i + 1, ""
}
