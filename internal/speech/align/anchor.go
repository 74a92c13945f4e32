package align

import (
	"slices"
	"sort"
	"strings"

	"parley/internal/speech/formatting"
)

// anchorLength is the number of consecutive words that make an anchor.
const anchorLength = 3

// pair is a slot and the heard token that matches it.
type pair struct{ slot, heard int }

// anchors returns the positions of word runs that occur exactly once on each side, in an order common to both sides.
func anchors(slots []formatting.Reading, heard []token, from, to pair, length int) []pair {
	given := map[string]int{} // 1 + index, or -1 if it occurs more than once
	for i := from.slot; i+length <= to.slot; i++ {
		if key, ok := slotKey(slots[i:i+length], length); ok {
			given[key] = once(given[key], i)
		}
	}
	said := map[string]int{}
	for j := from.heard; j+length <= to.heard; j++ {
		key := heardKey(heard[j : j+length])
		said[key] = once(said[key], j)
	}
	var pairs []pair
	for key, i := range given {
		if j := said[key]; i > 0 && j > 0 {
			pairs = append(pairs, pair{i - 1, j - 1})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return a.slot - b.slot })
	return rising(pairs)
}

func once(known, place int) int {
	if known != 0 {
		return -1
	}
	return place + 1
}

// slotKey returns the text of consecutive slots that each have a single one-word form. A single word must be long to
// qualify.
func slotKey(slots []formatting.Reading, length int) (string, bool) {
	var b strings.Builder
	for _, s := range slots {
		if len(s.Forms) != 1 || len(s.Forms[0]) != 1 {
			return "", false
		}
		b.WriteString(fold(s.Forms[0][0]))
		b.WriteByte(' ')
	}
	return b.String(), length > 1 || b.Len() > 5
}

func heardKey(heard []token) string {
	var b strings.Builder
	for _, t := range heard {
		b.WriteString(t.text)
		b.WriteByte(' ')
	}
	return b.String()
}

// rising returns the longest subsequence with increasing heard indices (patience sorting).
func rising(pairs []pair) []pair {
	var tops []int // by length, index of the pair that ends the best sequence
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(tops), func(k int) bool { return pairs[tops[k]].heard >= p.heard })
		before[i] = -1
		if n > 0 {
			before[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	var chain []pair
	for i := tops[len(tops)-1]; i >= 0; i = before[i] {
		chain = append(chain, pairs[i])
	}
	slices.Reverse(chain)
	return chain
}
