package media

import (
	"errors"
	"regexp"
	"strconv"
	"time"
)

// The forms of ISO 8601 that name a day and, optionally, a time of it: extended (2026-11-20T07:15:02.5+01:00)
// and basic (20261120T071502.5+0100); calendar, ordinal (2026-324) and week dates (2026-W47-5); seconds and
// minutes may be left out, the zone may be basic in both, a comma may stand for the point, midnight may be 24:00. The
// order of the groups is year, month, day | ordinal | week, weekday; hour, minute, second, fraction, zone.
var instants = []*regexp.Regexp{
	regexp.MustCompile(`^(\d{4})-(?:(\d\d)-(\d\d)|(\d{3})|W(\d\d)-(\d))(?:T(\d\d)(?::(\d\d)(?::(\d\d))?)?(?:[.,](\d+))?(Z|[+-]\d\d(?::?\d\d)?)?)?$`),
	regexp.MustCompile(`^(\d{4})(?:(\d\d)(\d\d)|(\d{3})|W(\d\d)(\d))(?:T(\d\d)(?:(\d\d)(\d\d)?)?(?:[.,](\d+))?(Z|[+-]\d\d(?:\d\d)?)?)?$`),
}

var (
	errForm  = errors.New("unknown format")
	errRange = errors.New("invalid date or time")
)

// parseInstant reads an ISO 8601 date with or without a time of day. Without a zone UTC is taken.
func parseInstant(text string) (time.Time, error) {
	for _, form := range instants {
		if m := form.FindStringSubmatch(text); m != nil {
			return assemble(m[1:])
		}
	}
	return time.Time{}, errForm
}

func assemble(m []string) (time.Time, error) {
	day, ok := date(number(m[0]), m[1:6])
	offset, zoneOK := zone(m[10])
	clock, clockOK := timeOfDay(m[6:10])
	if !ok || !zoneOK || !clockOK {
		return time.Time{}, errRange
	}
	return day.Add(clock - offset), nil
}

// date returns the start of a day given by month and day, ordinal, or week and weekday.
func date(year int, m []string) (time.Time, bool) {
	switch {
	case m[0] != "":
		day := time.Date(year, time.Month(number(m[0])), number(m[1]), 0, 0, 0, 0, time.UTC)
		return day, int(day.Month()) == number(m[0]) && day.Day() == number(m[1])
	case m[2] != "":
		day := time.Date(year, 1, number(m[2]), 0, 0, 0, 0, time.UTC)
		return day, day.Year() == year && day.YearDay() == number(m[2])
	}
	week, weekday := number(m[3]), number(m[4])
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // always in week 1
	day := fourth.AddDate(0, 0, 7*(week-1)+weekday-1-(int(fourth.Weekday())+6)%7)
	isoYear, isoWeek := day.ISOWeek()
	return day, isoYear == year && isoWeek == week && weekday >= 1 && weekday <= 7
}

// timeOfDay returns the time since midnight. A fraction applies to the last component given.
func timeOfDay(m []string) (time.Duration, bool) {
	hour, minute, second := number(m[0]), number(m[1]), number(m[2])
	unit := time.Second
	switch {
	case m[1] == "":
		unit = time.Hour
	case m[2] == "":
		unit = time.Minute
	}
	billionths := number((m[3] + "000000000")[:9])
	clock := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second +
		time.Duration(billionths)*(unit/time.Second)
	midnight := hour == 24 && clock == 24*time.Hour
	return clock, (hour <= 23 || midnight) && minute <= 59 && second <= 60
}

func zone(text string) (time.Duration, bool) {
	if text == "" || text == "Z" {
		return 0, true
	}
	hours, minutes := number(text[1:3]), 0
	if len(text) > 3 {
		minutes = number(text[len(text)-2:])
	}
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if text[0] == '-' {
		offset = -offset
	}
	return offset, hours <= 23 && minutes <= 59
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
