// Package sentiment scores how positive or negative each sentence of a conversation is.
//
// It does not aggregate the scores by call or party (package analysis/talk does).
package sentiment

import (
	"time"

	"parley/internal/words/transcript"
)

// Scorer returns the score of one sentence in its written form, from -1 (very negative) to 1 (very positive).
type Scorer interface {
	Score(text string) float64
}

// Request names the scorer to use.
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
