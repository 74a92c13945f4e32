package pocketsphinx

import (
	"parley/internal/speech/asr"
	"parley/internal/speech/cmllr"
)

// settings are the parameters of recognition. They depend on the kind of source, and were tuned on the first halves
// of recordings with reference transcripts. The README of the command train describes the method and the results on
// the second halves.
type settings struct {
	shift     int              // samples between frames
	telephone bool             // predict the frequencies removed by telephones
	talk      float64          // weight of the conversation model
	vote      bool             // take the words elected from the lattice instead of the search result
	scales                     // of the vote
	transform *cmllr.Transform // of the speaker's features; nil for none
}

// The acoustic model uses frames of 10 ms. Conversational speech is faster than the read speech it was trained on; a
// shorter frame shift makes it appear slower. This reduces word errors on the channels of a call, but increases them
// on mono calls.
const (
	readShift = rate / 100 // samples
	callShift = 143        // 8.9 ms
)

const telephoneRate = 8000 // Hz; sources up to this rate contain nothing above the telephone band

// usual returns the default settings for a kind of source.
func usual(s asr.Source) settings {
	u := settings{shift: readShift, telephone: s.Rate > 0 && s.Rate <= telephoneRate, talk: 0.1, vote: talk(s),
		scales: rescoring()}
	if s.Call {
		u.shift = callShift
	}
	if u.vote {
		u.talk = 0.3 // in other sources 0.1 does no harm
	}
	return u
}

// talk reports whether a kind of source is likely to be a conversation.
func talk(s asr.Source) bool { return s.Call || s.Rate <= telephoneRate }
