package transcript

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// utterancePause is the silence that ends an utterance: after a shorter pause, a speaker continues the same utterance,
// even if the other party speaks in between.
const utterancePause = 700 * time.Millisecond

// Turn is what one speaker says until another one speaks. Turns may overlap in time; a word belongs to exactly one.
type Turn struct {
	Speaker    int
	Start, End time.Duration
	Words      []int // indices into Transcript.Words, ascending
}

// Turns groups the words into turns, ordered by start. It splits each speaker's words into utterances at pauses of
// utterancePause, sorts the utterances by start, and joins neighbours of the same speaker. So a short "yeah" during
// another speaker's sentence is a turn of its own and does not split the sentence.
func (t *Transcript) Turns() []Turn {
	var utterances []Turn
	open := make([]int, len(t.Speakers)) // 1 + index of each speaker's last utterance
	for i, w := range t.Words {
		u := open[w.Speaker] - 1
		if u < 0 || w.Kind.Lasts() && w.Start-utterances[u].End >= utterancePause {
			utterances = append(utterances, Turn{Speaker: w.Speaker, Start: w.Start, End: w.End})
			u = len(utterances) - 1
			open[w.Speaker] = u + 1
		}
		utterances[u].Words = append(utterances[u].Words, i)
		utterances[u].End = max(utterances[u].End, w.End)
	}
	slices.SortStableFunc(utterances, func(a, b Turn) int { return cmp.Compare(a.Start, b.Start) })
	return joinNeighbours(utterances)
}

func joinNeighbours(utterances []Turn) []Turn {
	var turns []Turn
	for _, u := range utterances {
		if n := len(turns); n > 0 && turns[n-1].Speaker == u.Speaker {
			turns[n-1].Words = append(turns[n-1].Words, u.Words...)
			turns[n-1].End = max(turns[n-1].End, u.End)
			continue
		}
		turns = append(turns, u)
	}
	return turns
}

// Text joins words for display: with spaces between words, and none before punctuation.
func (t *Transcript) Text(words []int) string {
	var b strings.Builder
	for _, i := range words {
		w := t.Words[i]
		if b.Len() > 0 && w.Kind.Lasts() {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// Known returns the words that are not Redacted.
func (t *Transcript) Known(words []int) []int {
	return slices.DeleteFunc(slices.Clone(words), func(i int) bool { return t.Words[i].Kind == Redacted })
}

// VoiceActivity returns each speaker's stretches of speech: words less than gap apart form one stretch.
func (t *Transcript) VoiceActivity(gap time.Duration) [][]Stretch {
	activity := make([][]Stretch, len(t.Speakers))
	for _, w := range t.Words {
		if w.Kind.Lasts() {
			activity[w.Speaker] = Extended(activity[w.Speaker], Stretch{w.Start, w.End}, gap)
		}
	}
	return activity
}
