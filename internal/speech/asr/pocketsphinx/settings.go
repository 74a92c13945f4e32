package pocketsphinx

import (
	"parley/internal/speech/asr"
	"parley/internal/speech/cmllr"
)

// settings are what recognition goes by. They differ by the kind of source, and were chosen on the first halves of
// recordings with references: the README of the command train says how, and what became of the second halves.
type settings struct {
	shift     int              // samples from frame to frame
	telephone bool             // what the telephone took away is predicted
	talk      float64          // share of the model of conversations
	vote      bool             // the words are those that the lattice speaks for, not those of the search
	scales                     // of the vote
	transform *cmllr.Transform // of the speaker's features; nil: as they are
}

// Frames of 10 ms are those of the acoustic model. People who talk with one another are faster than its readers were:
// with frames closer together they sound slower. On the channels of a call fewer words are then wrong; on mono calls,
// more.
const (
	readShift = rate / 100 // samples
	callShift = 143        // 8.9 ms
)

const telephoneRate = 8000 // Hz; sources of no more hold nothing above the telephone band

// usual returns the settings for a kind of source.
func usual(s asr.Source) settings {
	u := settings{shift: readShift, telephone: s.Rate > 0 && s.Rate <= telephoneRate, talk: 0.1, vote: talk(s),
		scales: rescoring()}
	if s.Call {
		u.shift = callShift
	}
	if u.vote {
		u.talk = 0.3 // elsewhere 0.1 costs nothing
	}
	return u
}

// talk reports whether people talk to each other in a kind of source, as far as that can be told.
func talk(s asr.Source) bool { return s.Call || s.Rate <= telephoneRate }
