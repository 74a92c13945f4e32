// Package sentiment says how positive or negative each sentence of a conversation is.
//
// It does not sum up a call or a party by it (package analysis/talk).
package sentiment

import (
	"time"

	"parley/internal/words/transcript"
)

// Scorer judges one sentence as it is written: -1 (very negative) to 1 (very positive).
type Scorer interface {
	Score(text string) float64
}

// Request says who judges.
type Request struct{ Scorer Scorer }

// Sentence is one sentence with its score.
type Sentence struct {
	Speaker    int // index into Transcript.Speakers
	Start, End time.Duration
	Score      float64 // -1..1
}

// Find scores every sentence of a transcript, in the order of its turns.
func Find(t *transcript.Transcript, r *Request) []Sentence {
	found := []Sentence{}
	for _, s := range t.Sentences() {
		if said := t.Text(t.Known(s.Words)); said != "" {
			found = append(found, Sentence{s.Speaker, s.Start, s.End, r.Scorer.Score(said)})
		}
	}
	return found
}
