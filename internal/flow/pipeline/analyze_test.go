package pipeline

import (
	"slices"
	"testing"
	"time"

	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/talk"
)

func TestThirdsOfSentencesAreThoseOfTheOrderInWhichTheyWereSaid(t *testing.T) {
	said := func(speaker, second int, score float64) sentiment.Sentence {
		return sentiment.Sentence{Speaker: speaker, Start: time.Duration(second) * time.Second, Score: score}
	}
	// A short "great" inside a long turn comes after it in the order of turns.
	got := scores([]sentiment.Sentence{said(0, 0, 0), said(0, 20, -.2), said(0, 40, -.5), said(1, 10, .9)})
	want := []talk.Sentence{{Speaker: 0, Score: 0}, {Speaker: 1, Score: .9}, {Speaker: 0, Score: -.2},
		{Speaker: 0, Score: -.5}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
