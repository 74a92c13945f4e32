package query

import (
	"slices"
	"testing"
	"time"
)

func TestValuesBecomeTheDefinedTypes(t *testing.T) {
	at := time.Date(2026, 7, 30, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		from    Value
		defined string
		want    any
	}{
		{Number(7), "varchar", "7"}, {Truth(true), "varchar", "true"}, {Text("x"), "varchar", "x"},
		{Value{}, "varchar", nil},
		{Text("7.5"), "double", 7.5}, {Text("7"), "integer", 7.0}, {Text("seven"), "integer", nil},
		{Truth(true), "integer", 1.0},
		{Text("TRUE"), "boolean", true}, {Text("1"), "boolean", nil}, {Truth(false), "boolean", false},
		{Text("2026-07-30"), "timestamp", at}, {Instant(at), "timestamp", at}, {Text("soon"), "timestamp", nil},
		{Number(3), "timestamp", nil},
	} {
		if got := c.from.As(c.defined).Any(); got != c.want {
			t.Errorf("%v as %s is %v, want %v", c.from.Any(), c.defined, got, c.want)
		}
	}
}

func TestValuesOfAllKindsHaveOneOrder(t *testing.T) {
	want := []Value{Number(-1), Truth(true), Number(2), Instant(time.Unix(1, 0)), Instant(time.Unix(2, 0)), Text("a"),
		Text("B"), Text("c"), {}}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Sorted)
	for i := range want {
		if got[i].Any() != want[i].Any() {
			t.Fatalf("%d: %v, want %v", i, got[i].Any(), want[i].Any())
		}
	}
}
