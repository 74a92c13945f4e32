package api

import (
	"time"

	vbql "parley/internal/query"
	"parley/internal/words/jsondoc"
)

// period restricts calls by the time at which they were created.
type period struct {
	From, Until time.Time // Until exclusive; zero: unbounded
	Zone        *time.Location
}

// periodFields are the keys of a period in a request.
var periodFields = [3]jsondoc.Field{
	{Name: "from", Shape: jsondoc.Text()},
	{Name: "until", Shape: jsondoc.Text()},
	{Name: "zone", Shape: jsondoc.Text()},
}

// readPeriod parses a period, whose days are days of its zone.
func readPeriod(root *jsondoc.Value) (p period, err error) {
	if p.Zone, err = readZone(root); err != nil {
		return p, err
	}
	if v := root.Get("from").Text(); v != "" {
		if p.From, _, err = readDateIn("/from", v, p.Zone); err != nil {
			return p, err
		}
	}
	if v := root.Get("until").Text(); v != "" {
		if _, p.Until, err = readDateIn("/until", v, p.Zone); err != nil {
			return p, err
		}
		p.Until = p.Until.Add(time.Millisecond) // the bound is inclusive
	}
	return p, nil
}

// readZone parses the time zone of a request, which is UTC by default.
func readZone(root *jsondoc.Value) (*time.Location, error) {
	name := root.Get("zone").Text()
	if name == "" {
		return time.UTC, nil
	}
	zone, err := vbql.ReadZone(name)
	if err != nil {
		return nil, parameterFault("/zone: %w", err)
	}
	return zone, nil
}

// readDateIn is readDate with days of a time zone.
func readDateIn(name, value string, zone *time.Location) (first, last time.Time, err error) {
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		y, m, d := day.Date()
		return vbql.Midnight(y, m, d, zone), vbql.Midnight(y, m, d+1, zone).Add(-time.Millisecond), nil
	}
	return readDate(name, value)
}

// created is the field that a period restricts.
var created = vbql.Field{Space: vbql.Media, Path: []string{"dateCreated"}}

// within returns a condition that also holds in the period only; nil: every call.
func (p period) within(c vbql.Condition) vbql.Condition {
	var all vbql.And
	if !p.From.IsZero() {
		all = append(all, vbql.Compare{Field: created, Op: vbql.GreaterEqual, Value: instant(p.From)})
	}
	if !p.Until.IsZero() {
		all = append(all, vbql.Compare{Field: created, Op: vbql.Less, Value: instant(p.Until)})
	}
	if c != nil {
		all = append(all, c)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// instant returns an instant as it is written in a statement.
func instant(at time.Time) vbql.Value { return vbql.Text(at.UTC().Format(time.RFC3339Nano)) }

// of returns a statement over the calls of the period, by the calendar of its zone.
func (p period) of(s *vbql.Select) *vbql.Select {
	narrow := *vbql.InZone(s, p.Zone)
	narrow.Where = p.within(s.Where)
	return &narrow
}
