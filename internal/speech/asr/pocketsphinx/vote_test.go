package pocketsphinx

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestElectedWordsAreInOrderOfTime checks that elected words of several paths are in order, at times where the paths
// have them.
func TestElectedWordsAreInOrderOfTime(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var words []hearing
		first, last := 1000, 0
		for range rapid.IntRange(1, 12).Draw(rt, "words") {
			start := rapid.IntRange(0, 300).Draw(rt, "start")
			w := hearing{word: "a", start: start, end: start + rapid.IntRange(0, 60).Draw(rt, "frames")}
			first, last = min(first, w.start), max(last, w.end)
			words = append(words, w)
		}
		line := inLine(slices.Clone(words))
		for i, w := range line {
			if w.start > w.end || w.start < first || w.end > last {
				rt.Fatalf("word %d lasts from %d to %d, the words from %d to %d: %v", i, w.start, w.end, first, last,
					words)
			}
			if i > 0 && w.start < line[i-1].end {
				rt.Fatalf("word %d begins at %d, before the end of the one before, %d: %v", i, w.start, line[i-1].end,
					words)
			}
		}
	})
}

// TestWordsInOrderKeepTheirTimes checks that only overlapping words change.
func TestWordsInOrderKeepTheirTimes(t *testing.T) {
	words := []hearing{{start: 3, end: 10}, {start: 10, end: 18}, {start: 25, end: 31}, {start: 30, end: 40},
		{start: 32, end: 38}}
	want := []hearing{{start: 3, end: 10}, {start: 10, end: 18}, {start: 25, end: 30}, {start: 30, end: 32},
		{start: 32, end: 38}}
	if got := inLine(slices.Clone(words)); !slices.Equal(got, want) {
		t.Errorf("%v become %v, want %v", words, got, want)
	}
}
