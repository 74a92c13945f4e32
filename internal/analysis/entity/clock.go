package entity

import (
	"fmt"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

var (
	noons = map[string]string{"noon": "12:00 PM", "midday": "12:00 PM", "midnight": "12:00 AM"}

	afterHour = phrase.Set("today tomorrow tonight on or and if then please in sharp that")
)

// clock parses times of day: 10:30 AM, 9 AM, 5 o'clock, at five, 8 in the morning, noon.
func (s *stretch) clock(i int) (hit, bool) {
	form := s.form(i)
	if noons[form] != "" {
		return hit{i, i + 1, Time, noons[form], nil}, true
	}
	if h, ok := s.halfPast(i); ok {
		return h, ok
	}
	next := i + 1
	hours, minutes, half, named := numeral.ReadTime(form)
	hour, _ := strconv.Atoi(hours)
	minute, _ := strconv.Atoi(minutes)
	if !named {
		hour = s.hour(i)
	}
	if hour < 0 {
		return hit{}, false
	}
	if half == "" {
		half, next = s.half(next)
	}
	switch {
	case hour > 24 || minute > 59:
		return hit{}, false
	case named || half != "" || s.is(next-1, "o'clock", "oclock") || s.hourAlone(i):
		return hit{i, next, Time, standard(hour, minute, half), nil}, true
	}
	return hit{}, false
}

// halfPast parses "half past six" and "quarter to nine".
func (s *stretch) halfPast(i int) (hit, bool) {
	at := i
	if s.is(at, "a") {
		at++
	}
	if !s.is(at, "half", "quarter") {
		return hit{}, false
	}
	hour := s.hour(at + 2)
	minute := map[string]int{"half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": 45,
		"quarter till": 45}[s.form(at)+" "+s.form(at+1)]
	if hour < 1 || minute == 0 {
		return hit{}, false
	}
	if minute == 45 {
		hour = (hour+10)%12 + 1
	}
	half, next := s.half(at + 3)
	return hit{i, next, Time, standard(hour, minute, half), nil}, true
}

// hour returns the whole hour at i, in figures or a word, -1 if there is none.
func (s *stretch) hour(i int) int {
	if e := s.entry(i); e.Class == numeral.Digit && e.Value > 0 {
		return e.Value
	}
	if v, err := strconv.Atoi(s.figure(i)); err == nil && len(s.form(i)) < 3 && v > 0 && v <= 12 {
		return v
	}
	return -1
}

// half parses the half of the day (AM, p m, in the morning) and o'clock.
func (s *stretch) half(i int) (half string, next int) {
	if s.is(i, "o'clock", "oclock") {
		i++
	}
	switch {
	case s.is(i, "am", "pm"):
		return s.form(i), i + 1
	case s.is(i, "a", "p") && s.is(i+1, "m"):
		return s.form(i) + "m", i + 2
	case s.is(i, "in") && s.is(i+1, "the") && s.is(i+2, "morning"):
		return "am", i + 3
	case s.is(i, "in") && s.is(i+1, "the") && s.is(i+2, "afternoon", "evening"):
		return "pm", i + 3
	case s.is(i, "at") && s.is(i+1, "night"):
		return "pm", i + 2
	}
	return "", i
}

// hourAlone reports whether a number is an hour by its context: at five, between eight and noon.
func (s *stretch) hourAlone(i int) bool {
	if !s.is(i-1, "at", "around", "until", "till", "before", "by", "between", "after") &&
		!(s.is(i-1, "and", "or", "to") && s.timed(i-2)) {
		return false
	}
	if s.is(i-1, "between", "by", "before", "after", "around") && s.ends(i+1) {
		return s.is(i-1, "by", "before", "after")
	}
	next := s.form(i + 1)
	if s.is(i-1, "between") {
		return next == "and" && (noons[s.form(i+2)] != "" || s.hour(i+2) > 0 && func() bool {
			h, _ := s.half(i + 3)
			return h != ""
		}())
	}
	return s.ends(i+1) || afterHour[next] || weekdays[next]
}

// timed reports whether a time ends at i.
func (s *stretch) timed(i int) bool {
	_, _, _, timed := numeral.ReadTime(s.figure(i))
	return timed || s.is(i, "am", "pm", "noon", "o'clock")
}

// standard formats a time: 6:00 PM, or 6:00 if the half of the day is unknown.
func standard(hour, minute int, half string) string {
	if half == "" {
		return fmt.Sprintf("%d:%02d", hour, minute)
	}
	return fmt.Sprintf("%d:%02d %s", hour, minute, strings.ToUpper(half))
}
