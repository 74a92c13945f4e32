package transcript

import (
	"cmp"
	"slices"
	"time"
)

// Keyword is a word or phrase with the places where it is said.
type Keyword struct {
	Text      string
	Relevance float64   // 0..1; 0 if it was not estimated, but the keyword was asked for
	Mentions  []Mention // in the order of Transcript.Speakers
}

// Mention is the places where one speaker says a keyword.
type Mention struct {
	Speaker     int // index into Transcript.Speakers
	Occurrences []Occurrence
}

// Occurrence is one place where a keyword is said.
type Occurrence struct {
	Start, End time.Duration // from the start of the media
	Exact      string        // the words as they stand in the transcript, without punctuation marks
}

// Mentions groups occurrences by speaker: speakers[i] says all[i].
func Mentions(speakers []int, all []Occurrence) (mentions []Mention) {
	for i, o := range all {
		at, found := slices.BinarySearchFunc(mentions, speakers[i], func(m Mention, speaker int) int {
			return cmp.Compare(m.Speaker, speaker)
		})
		if !found {
			mentions = slices.Insert(mentions, at, Mention{Speaker: speakers[i]})
		}
		mentions[at].Occurrences = append(mentions[at].Occurrences, o)
	}
	return mentions
}
