package query

import (
	"sync"
	"time"
	_ "time/tzdata" // machines may lack the time zones
)

// periods are the periods of date_trunc.
var periods = []string{"day", "week", "month"}

// zones are the time zones that were used, by name. There are some hundred.
var zones sync.Map

// zoneOf returns a time zone by its IANA name.
func zoneOf(name string) (*time.Location, bool) {
	if known, ok := zones.Load(name); ok {
		return known.(*time.Location), true
	}
	if name == "" || name == "Local" {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	zones.Store(name, zone)
	return zone, true
}

// truncated returns the start of the period of a time zone that contains an instant; weeks start on Monday. It is
// missing for other values.
func truncated(v Value, period string, zone *time.Location) Value {
	if v = v.As("timestamp"); v.kind != isInstant {
		return Value{}
	}
	at := v.at.In(zone)
	y, m, d := at.Date()
	switch period {
	case "week":
		d -= (int(at.Weekday()) + 6) % 7
	case "month":
		d = 1
	}
	return Instant(Midnight(y, m, d, zone).UTC())
}

// Midnight returns the first instant of a day in a zone. The clock may be changed at midnight, so that it is skipped or
// comes twice.
func Midnight(y int, m time.Month, d int, zone *time.Location) time.Time {
	at := time.Date(y, m, d, 0, 0, 0, 0, zone)
	if at.Hour() > 0 { // skipped: the day begins when the clock is changed
		change, end := at.ZoneBounds()
		if at.Hour() >= 12 {
			return end
		}
		return change
	}
	change, _ := at.ZoneBounds()
	if change.IsZero() {
		return at
	}
	_, offset := at.Zone()
	_, before := change.Add(-1).Zone()
	if earlier := at.Add(time.Duration(offset-before) * time.Second); earlier.Before(change) && earlier.Day() == at.Day() {
		return earlier
	}
	return at
}
