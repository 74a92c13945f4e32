package diarize

import (
	"fmt"
	"slices"
	"time"

	"parley/internal/words/transcript"
)

// Apply returns the transcript of one channel with a speaker assigned to each word: the one whose turn contains the
// middle of the word, or the nearest. Punctuation gets the speaker of the previous word. Speakers are named "Speaker
// 1", "Speaker 2" and so on, in order of their first words; those without words are left out. If all words belong to
// one speaker, the transcript keeps its speakers.
func (f *Result) Apply(t *transcript.Transcript) *transcript.Transcript {
	if len(f.Turns) == 0 {
		return t
	}
	out := *t
	out.Words = slices.Clone(t.Words)
	number := numbering{}
	speaker := 0
	for i, w := range out.Words {
		if w.Kind.Lasts() || i == 0 {
			speaker = number.of(f.at((w.Start + w.End) / 2))
		}
		out.Words[i].Speaker = speaker
	}
	if len(number) < 2 {
		return t
	}
	out.Speakers = make([]transcript.Speaker, len(number))
	for i := range out.Speakers {
		out.Speakers[i] = transcript.Speaker{Name: fmt.Sprintf("%s %d", transcript.DefaultSpeaker, i+1),
			Channel: transcript.NoChannel}
	}
	return &out
}

// at returns the speaker at a time, or during a pause the nearest one.
func (f *Result) at(when time.Duration) int {
	next, inside := slices.BinarySearchFunc(f.Turns, when, func(turn Turn, when time.Duration) int {
		switch {
		case turn.End <= when:
			return -1
		case turn.Start > when:
			return 1
		}
		return 0
	})
	switch {
	case inside, next == 0:
		return f.Turns[next].Speaker
	case next == len(f.Turns):
		return f.Turns[next-1].Speaker
	}
	if when-f.Turns[next-1].End <= f.Turns[next].Start-when {
		next--
	}
	return f.Turns[next].Speaker
}
