package diarize

import (
	"cmp"
	"slices"
	"time"
)

// Settle builds a result from turns found by other means. It sorts them and clamps them to the length. If two
// overlap, the earlier one keeps the time. Turns that become empty are dropped.
func Settle(turns []Turn, length time.Duration) *Result {
	turns = slices.Clone(turns)
	slices.SortStableFunc(turns, func(a, b Turn) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	f := &Result{}
	number := numbering{}
	from := time.Duration(0)
	for _, turn := range turns {
		turn.Start, turn.End = max(turn.Start, from), min(turn.End, length)
		if turn.End <= turn.Start {
			continue
		}
		turn.Speaker, from = number.of(turn.Speaker), turn.End
		f.Turns = append(f.Turns, turn)
	}
	f.Speakers = len(number)
	return f
}
