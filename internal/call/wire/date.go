package wire

import "time"

// instants are the accepted layouts of a point in time; without a zone it is in UTC.
var instants = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
}

// ParseDate parses a day in UTC or a point in time, and returns the first and the last millisecond that it covers.
func ParseDate(text string) (first, last time.Time, ok bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, day.AddDate(0, 0, 1).Add(-time.Millisecond), true
	}
	for _, layout := range instants {
		if at, err := time.Parse(layout, text); err == nil {
			at = at.UTC().Truncate(time.Millisecond)
			return at, at, true
		}
	}
	return first, last, false
}
