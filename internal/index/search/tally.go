package search

import (
	"iter"
	"slices"

	"parley/internal/index/tokenfile"
)

// tally accumulates the changes of the number of calls per word.
type tally struct {
	by      []int64  // change for each word number
	seen    []uint32 // the last call, counted from 1, that had it
	call    uint32
	touched []uint32
}

// add counts the distinct lexicon words of one call.
func (t *tally) add(numbers []uint32, by int64) {
	t.call++
	for _, n := range numbers {
		if n == 0 || !tokenfile.Listed(n) {
			continue
		}
		if int(n) >= len(t.by) {
			more := int(n) + 1 + len(t.by)/2 - len(t.by)
			t.by, t.seen = append(t.by, make([]int64, more)...), append(t.seen, make([]uint32, more)...)
		}
		if t.seen[n] == t.call {
			continue
		}
		if t.seen[n] == 0 {
			t.touched = append(t.touched, n)
		}
		t.seen[n] = t.call
		t.by[n] += by
	}
}

// changes yields the numbers with a non-zero change, ascending.
func (t *tally) changes() iter.Seq2[uint32, int64] {
	slices.Sort(t.touched)
	return func(yield func(uint32, int64) bool) {
		for _, n := range t.touched {
			if t.by[n] != 0 && !yield(n, t.by[n]) {
				return
			}
		}
	}
}
