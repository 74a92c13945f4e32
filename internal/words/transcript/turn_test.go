package transcript

import (
	"cmp"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// plainTurns derives turns with a list of words for each utterance.
func plainTurns(t *Transcript) (turns []Turn) {
	var utterances []Turn
	last := map[int]int{} // of each speaker
	for i, w := range t.Words {
		u, there := last[w.Speaker]
		if !there || w.Kind.Lasts() && w.Start-utterances[u].End >= utterancePause {
			u, last[w.Speaker] = len(utterances), len(utterances)
			utterances = append(utterances, Turn{Speaker: w.Speaker, Start: w.Start, End: w.End})
		}
		utterances[u].Words = append(utterances[u].Words, i)
		utterances[u].End = max(utterances[u].End, w.End)
	}
	slices.SortStableFunc(utterances, func(a, b Turn) int { return cmp.Compare(a.Start, b.Start) })
	for _, u := range utterances {
		if n := len(turns); n > 0 && turns[n-1].Speaker == u.Speaker {
			turns[n-1].Words = append(turns[n-1].Words, u.Words...)
			turns[n-1].End = max(turns[n-1].End, u.End)
		} else {
			turns = append(turns, u)
		}
	}
	return turns
}

func TestTurnsAreTheUtterancesInOrderWithNeighboursJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := &Transcript{Speakers: make([]Speaker, rapid.IntRange(1, 3).Draw(t, "speakers"))}
		at := time.Duration(0)
		for range rapid.IntRange(0, 40).Draw(t, "words") {
			at += time.Duration(rapid.IntRange(0, 12).Draw(t, "gap")) * 100 * time.Millisecond
			w := Word{Start: at, End: at + time.Duration(rapid.IntRange(0, 30).Draw(t, "length"))*100*time.Millisecond,
				Speaker: rapid.IntRange(0, len(said.Speakers)-1).Draw(t, "speaker")}
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				w.Kind = Punctuation
			}
			said.Words = append(said.Words, w)
		}
		if got, want := said.Turns(), plainTurns(said); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
	})
}

// BenchmarkTurns derives the turns of a call of 1,500 words.
func BenchmarkTurns(b *testing.B) {
	t := &Transcript{Speakers: make([]Speaker, 2)}
	for i := range 1500 {
		at := time.Duration(i) * 400 * time.Millisecond
		t.Words = append(t.Words, Word{Start: at, End: at + 300*time.Millisecond, Speaker: i / 20 % 2})
	}
	b.ReportAllocs()
	for b.Loop() {
		t.Turns()
	}
}
