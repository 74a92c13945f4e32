package codec

import (
	"time"

	"parley/internal/analysis/spot"
	"parley/internal/words/transcript"
)

// groupResult is the stored form of a spot.Result; times are in nanoseconds.
type groupResult struct {
	Name     string    `json:"name"`
	Score    float64   `json:"score"`
	Keywords []keyword `json:"keywords"`
}

type keyword struct {
	Text      string    `json:"text"`
	Relevance float64   `json:"relevance,omitempty"` // for knowledge only
	Mentions  []mention `json:"mentions"`
}

type mention struct {
	Speaker     int        `json:"speaker"`
	Occurrences []textSpan `json:"occurrences"`
}

type textSpan struct {
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	Exact string        `json:"exact"`
}

func newGroupResult(g spot.Result) groupResult {
	return groupResult{g.Name, g.Score, each(g.Keywords, newKeyword)}
}

func (g groupResult) decode() spot.Result {
	return spot.Result{Name: g.Name, Score: g.Score, Keywords: each(g.Keywords, keyword.decode)}
}

func newKeyword(k transcript.Keyword) keyword {
	return keyword{k.Text, k.Relevance, each(k.Mentions, func(m transcript.Mention) mention {
		return mention{m.Speaker, each(m.Occurrences, func(o transcript.Occurrence) textSpan { return textSpan(o) })}
	})}
}

func (k keyword) decode() transcript.Keyword {
	return transcript.Keyword{Text: k.Text, Relevance: k.Relevance,
		Mentions: each(k.Mentions, func(m mention) transcript.Mention {
			said := each(m.Occurrences, func(o textSpan) transcript.Occurrence { return transcript.Occurrence(o) })
			return transcript.Mention{Speaker: m.Speaker, Occurrences: said}
		})}
}
