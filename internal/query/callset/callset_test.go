package callset

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn returns a random set, built with the exported functions, and the expected membership of each call.
func drawn(t *rapid.T, name string, calls int) (Set, []bool) {
	s, in := New(calls), make([]bool, calls)
	if rapid.Bool().Draw(t, name+" filled") {
		s.Fill(calls)
		in = slices.Repeat([]bool{true}, calls)
	}
	for _, call := range rapid.SliceOfN(rapid.IntRange(0, calls-1), 0, 40).Draw(t, name) {
		switch in[call] = !in[call]; {
		case !in[call]:
			s.Remove(call)
		case call%2 == 0:
			s.Add(call)
		case !s.Offer(call):
			t.Fatalf("%d of %d calls is not taken", call, calls)
		}
	}
	return s, in
}

func TestSetsAreWhatListsOfTheirCallsAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := rapid.IntRange(1, 200).Draw(t, "calls")
		s, in := drawn(t, "one", calls)
		o, other := drawn(t, "other", calls)
		both := rapid.Bool().Draw(t, "and")
		if both {
			s.And(o)
		} else {
			s.Or(o)
		}
		var want, next, previous []int
		for call := range in {
			if in[call] && other[call] || !both && (in[call] || other[call]) {
				want = append(want, call)
			}
			if s.Has(call) != (len(want) > 0 && want[len(want)-1] == call) {
				t.Fatalf("%d: %v", call, s.Has(call))
			}
		}
		for call := s.Next(0); call >= 0; call = s.Next(call + 1) {
			next = append(next, call)
		}
		for call := s.Previous(len(s)*64 + 5); call >= 0; call = s.Previous(call - 1) {
			previous = append(previous, call)
		}
		slices.Reverse(previous)
		if got := slices.Collect(s.All); !slices.Equal(got, want) || !slices.Equal(next, want) ||
			!slices.Equal(previous, want) || s.Len() != len(want) {
			t.Fatalf("%v, %v, %v, %d, want %v", got, next, previous, s.Len(), want)
		}
		if rest := s.Others(calls); rest.Len() != calls-s.Len() || slices.ContainsFunc(want, rest.Has) {
			t.Fatalf("the others: %v", rest)
		}
		if s.Offer(len(s)*64) || s.Next(len(s)*64) >= 0 {
			t.Fatal("calls beyond the segment")
		}
	})
}

func TestACallMayBeRemovedWhileItIsYielded(t *testing.T) {
	s := New(130).Fill(130)
	n := 0
	for call := range s.All {
		s.Remove(call)
		n++
	}
	if n != 130 || s.Len() != 0 {
		t.Errorf("%d were yielded, %d are left", n, s.Len())
	}
}
