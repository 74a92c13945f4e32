package audit

import (
	"testing"
	"time"
)

func TestIdsAreInTheOrderOfEventsAndTellTheirTime(t *testing.T) {
	const ahead = time.Second // ids generated faster than one per 256 ns run ahead of the clock
	before := time.Now().Truncate(time.Millisecond)
	last := ID("")
	for range 10_000 {
		id := NewID()
		if id <= last {
			t.Fatalf("%s comes after %s", id, last)
		}
		last = id
	}
	if at := last.Time(); at.Before(before) || at.After(time.Now().Add(ahead)) {
		t.Errorf("%s tells %s, it is %s", last, at, before)
	}
	if at := last.Time(); First(at) > last || First(at.Add(time.Millisecond)) <= last {
		t.Errorf("%s is not in its millisecond", last)
	}
}

func TestOnlyIdsAreParsed(t *testing.T) {
	id := NewID()
	if got, ok := ParseID(string(id)); !ok || got != id {
		t.Errorf("%s became %s", id, got)
	}
	for _, text := range []string{"", "x", "{" + string(id) + "}", "urn:uuid:" + string(id)} {
		if got, ok := ParseID(text); ok {
			t.Errorf("%q became %s", text, got)
		}
		if !ID(text).Time().IsZero() && len(text) < 10 {
			t.Errorf("%q tells a time", text)
		}
	}
}
