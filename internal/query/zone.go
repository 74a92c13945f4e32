package query

import (
	"fmt"
	"slices"
	"time"
)

// ReadZone returns the time zone of a name such as Europe/Berlin. The zone of the machine has no name.
func ReadZone(name string) (*time.Location, error) {
	zone, ok := zoneOf(name)
	if !ok {
		return nil, fmt.Errorf("the time zone %.80q is unknown; use a name such as Europe/Berlin", name)
	}
	return zone, nil
}

// InZone returns a statement whose functions use a time zone where they name none. Columns keep their names.
func InZone(s *Select, zone *time.Location) *Select {
	zoned := *s
	zoned.Items, zoned.Group, zoned.Order = slices.Clone(s.Items), slices.Clone(s.Group), slices.Clone(s.Order)
	for i, item := range s.Items {
		e, changed := inZone(item.Expr, zone)
		if zoned.Items[i].Expr = e; changed && item.As == "" {
			zoned.Items[i].As = item.String()
		}
	}
	for i, g := range s.Group {
		zoned.Group[i], _ = inZone(g, zone)
	}
	for i, o := range s.Order {
		zoned.Order[i].By, _ = inZone(o.By, zone)
	}
	return &zoned
}

// inZone adds a zone to a function that takes one and names none. It reports whether it did.
func inZone(e Expr, zone *time.Location) (Expr, bool) {
	f, ok := e.(Function)
	name := Text(zone.String())
	if !ok || f.optional == 0 || len(f.Args) != len(f.takes)-1 || !f.takes[len(f.Args)](name) {
		return e, false
	}
	return Function{f.Builtin, append(slices.Clone(f.Args), name)}, true
}
