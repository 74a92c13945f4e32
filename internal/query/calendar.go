package query

import (
	"fmt"
	"time"
	_ "time/tzdata" // machines may lack the time zones
)

// Zone is a time zone as an argument of a function.
type Zone struct{ *time.Location }

func (Zone) expr() {}

// ReadZone returns the time zone of a name such as Europe/Berlin. The zone of the machine has no name.
func ReadZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fmt.Errorf("the time zone %.80q is unknown; use a name such as Europe/Berlin", name)
	}
	return zone, nil
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

// periods are the periods of date_trunc.
var periods = []string{"day", "week", "month"}

// StartOf returns the start of the period that contains an instant: day, week, which begins on Monday, or month.
func StartOf(period string, at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	y, m, d := at.Date()
	switch period {
	case "week":
		d -= (int(at.Weekday()) + 6) % 7
	case "month":
		d = 1
	}
	return Midnight(y, m, d, zone)
}

// truncated returns the start of the period that contains an instant. It is missing for other values.
func truncated(v Value, period string, zone *time.Location) Value {
	if v = v.As("timestamp"); v.kind != isInstant {
		return Value{}
	}
	return Instant(StartOf(period, v.at, zone).UTC())
}

// zone makes the last argument of a function that takes a time zone a Zone.
func (p *parser) zone(at int, of *Builtin, args []Expr) {
	last := len(of.takes)
	if !of.zoned || len(args) != last+1 || p.lost {
		return
	}
	if v, ok := args[last].(Value); ok && v.kind == isText {
		zone, err := ReadZone(v.text)
		if err != nil {
			p.report(at, "%s: %v", of.Name, err)
		}
		args[last] = Zone{zone}
	}
}

// zoneOf returns the time zone that is the last of some arguments; UTC if there is none.
func zoneOf(args []Expr) *time.Location {
	if zone, ok := args[len(args)-1].(Zone); ok {
		return zone.Location
	}
	return time.UTC
}

// InZone returns a statement whose functions use a time zone where they name none. Columns keep their names.
func InZone(s *Select, zone *time.Location) *Select {
	zoned := *s
	zoned.Items, zoned.Group, zoned.Order = nil, nil, nil
	for _, i := range s.Items {
		e := inZone(i.Expr, zone)
		if printExpr(e) != printExpr(i.Expr) && i.As == "" {
			i.As = printExpr(i.Expr)
		}
		zoned.Items = append(zoned.Items, Item{e, i.As})
	}
	for _, g := range s.Group {
		zoned.Group = append(zoned.Group, inZone(g, zone))
	}
	for _, o := range s.Order {
		zoned.Order = append(zoned.Order, Order{inZone(o.By, zone), o.Descending})
	}
	return &zoned
}

func inZone(e Expr, zone *time.Location) Expr {
	f, ok := e.(Function)
	if !ok || !f.zoned || len(f.Args) != len(f.takes) {
		return e
	}
	return Function{f.Builtin, append(f.Args[:len(f.Args):len(f.Args)], Zone{zone})}
}
