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
	all, of := t.utterances()
	order := make([]int, len(all)) // of utterances by start
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[a].Start, all[b].Start) })
	words := make([]int, len(t.Words)) // of all turns, one after another
	var turns []Turn
	end := 0
	for _, u := range order {
		next := &all[u]
		begin := end
		end += next.words
		next.words = begin // from here on: the place of its next word
		if n := len(turns); n > 0 && turns[n-1].Speaker == next.Speaker {
			begin -= len(turns[n-1].Words)
			turns[n-1].Words = words[begin:end:end]
			turns[n-1].End = max(turns[n-1].End, next.End)
			continue
		}
		next.Words = words[begin:end:end]
		turns = append(turns, next.Turn)
	}
	for i, u := range of {
		words[all[u].words] = i
		all[u].words++
	}
	return turns
}

// utterance is words of a speaker without a long pause; its list of words is not filled.
type utterance struct {
	Turn
	words int // how many
}

// utterances returns the utterances, and for each word its utterance.
func (t *Transcript) utterances() (all []utterance, of []int) {
	of = make([]int, len(t.Words))
	open := make([]int, len(t.Speakers)) // 1 + index of each speaker's last utterance
	for i := range t.Words {
		w := &t.Words[i]
		u := open[w.Speaker] - 1
		if u < 0 || w.Kind.Lasts() && w.Start-all[u].End >= utterancePause {
			all = append(all, utterance{Turn: Turn{Speaker: w.Speaker, Start: w.Start, End: w.End}})
			u = len(all) - 1
			open[w.Speaker] = u + 1
		}
		of[i] = u
		all[u].words++
		all[u].End = max(all[u].End, w.End)
	}
	return all, of
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
