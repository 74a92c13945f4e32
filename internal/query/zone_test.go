package query

import (
	"strings"
	"testing"
	"time"
)

func TestPeriodsBeginByTheCalendarOfTheirZone(t *testing.T) {
	for text, want := range map[string]string{
		`date_trunc('day', dateCreated, 'Europe/Berlin')`:        "2026-07-01T22:00:00Z",
		`date_trunc('week', dateCreated, 'Europe/Berlin')`:       "2026-06-28T22:00:00Z",
		`date_trunc('month', dateCreated, 'Europe/Berlin')`:      "2026-06-30T22:00:00Z",
		`date_trunc('day', dateCreated, 'America/New_York')`:     "2026-07-01T04:00:00Z",
		`date_trunc('day', dateCreated)`:                         "2026-07-01T00:00:00Z",
		`date_trunc('month', dateCreated, "America/Sao_Paulo") `: "2026-07-01T03:00:00Z",
	} {
		s, err := Parse("SELECT "+text+" FROM media", nil)
		if err != nil {
			t.Fatal(text, err)
		}
		at := time.Date(2026, 7, 1, 23, 30, 0, 0, time.UTC)
		if got := Evaluate(s.Select.Items[0].Expr, func(Field) Value { return Instant(at) }).Any(); got !=
			any(instant(t, want)) {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
		if again, err := Parse(s.String(), nil); err != nil || again.String() != s.String() {
			t.Errorf("%s is printed as %s: %v", text, s, err)
		}
	}
}

func instant(t *testing.T, text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// Sao Paulo skipped midnight of 2018-11-04, and Havana has two of 2026-11-01.
func TestADayBeginsOnceWhereTheClockIsChangedAtMidnight(t *testing.T) {
	for zone, want := range map[string]string{
		"America/Sao_Paulo 2018-11-04T12:00:00Z": "2018-11-04T03:00:00Z",
		"America/Havana 2026-11-01T20:00:00Z":    "2026-11-01T04:00:00Z",
	} {
		name, at, _ := strings.Cut(zone, " ")
		where, err := ReadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := truncated(Instant(instant(t, at)), "day", where).Any().(time.Time); !got.Equal(instant(t, want)) {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}

func TestUnknownZonesAreRefused(t *testing.T) {
	for _, zone := range []string{"Europe/Berlyn", "Local", ""} {
		_, err := Parse("SELECT date_trunc('day', dateCreated, '"+zone+"') FROM media", nil)
		if err == nil || !strings.Contains(err.Error(), "Europe/Berlin") {
			t.Errorf("%q: %v", zone, err)
		}
		if _, err := ReadZone(zone); err == nil || !strings.Contains(err.Error(), `"`+zone+`" is unknown`) {
			t.Errorf("%q: %v", zone, err)
		}
	}
	if _, err := Parse("SELECT date_trunc('day', dateCreated, 'UTC', 'UTC') FROM media", nil); err == nil {
		t.Error("two zones are taken")
	}
}

func TestAStatementIsPutIntoAZoneWhereItNamesNone(t *testing.T) {
	zone, err := ReadZone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`SELECT date_trunc('day', dateCreated) AS day, count(*) FROM media GROUP BY day ORDER BY day`://
		`SELECT date_trunc("day", dateCreated, "Europe/Berlin") AS day, count(*) FROM media GROUP BY day ORDER BY day`,
		`SELECT count(*) FROM media GROUP BY date_trunc('day', dateCreated) ORDER BY date_trunc('day', dateCreated) DESC`: //
		`SELECT count(*) FROM media GROUP BY date_trunc("day", dateCreated, "Europe/Berlin") ` +
			`ORDER BY date_trunc("day", dateCreated, "Europe/Berlin") DESC`,
		`SELECT date_trunc('day', dateCreated, 'UTC') FROM media WHERE length > 1 LIMIT 5`://
		`SELECT date_trunc("day", dateCreated, "UTC") FROM media WHERE length > 1 LIMIT 5`,
	} {
		s, err := Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := s.Select.String()
		if got := InZone(s.Select, zone).String(); got != want {
			t.Errorf("%s\n%s, want\n%s", text, got, want)
		}
		if s.Select.String() != before {
			t.Errorf("%s was changed to %s", before, s.Select)
		}
	}
	s, _ := Parse("SELECT date_trunc('day', dateCreated) FROM media", nil)
	if as := InZone(s.Select, zone).Items[0].As; as != s.Select.Items[0].String() {
		t.Errorf("the column is called %q", as)
	}
}
