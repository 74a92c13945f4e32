package transcript

import (
	"cmp"
	"slices"
	"time"
)

// Keyword is a word or phrase with its occurrences.
type Keyword struct {
	Text      string
	Relevance float64   // 0..1; 0 if it was not estimated because the keyword was requested
	Mentions  []Mention // in the order of Transcript.Speakers
}

// Mention holds the occurrences of a keyword by one speaker.
type Mention struct {
	Speaker     int // index into Transcript.Speakers
	Occurrences []Occurrence
}

// Occurrence is one place where a keyword is spoken.
type Occurrence struct {
	Start, End time.Duration // from the start of the media
	Exact      string        // the words of the transcript, without punctuation
}

// Mentions groups occurrences by speaker: speakers[i] is the speaker of all[i].
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
