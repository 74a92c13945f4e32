package codec

import (
	"time"

	"parley/internal/analysis/spot"
	"parley/internal/words/transcript"
)

// spotted is the stored form of a spot.Result; times are in nanoseconds.
type spotted struct {
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
	Speaker     int       `json:"speaker"`
	Occurrences []exactly `json:"occurrences"`
}

type exactly struct {
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	Exact string        `json:"exact"`
}

func keepSpotted(g spot.Result) spotted {
	return spotted{g.Name, g.Score, each(g.Keywords, keepKeyword)}
}

func (g spotted) found() spot.Result {
	return spot.Result{Name: g.Name, Score: g.Score, Keywords: each(g.Keywords, keyword.found)}
}

func keepKeyword(k transcript.Keyword) keyword {
	return keyword{k.Text, k.Relevance, each(k.Mentions, func(m transcript.Mention) mention {
		return mention{m.Speaker, each(m.Occurrences, func(o transcript.Occurrence) exactly { return exactly(o) })}
	})}
}

func (k keyword) found() transcript.Keyword {
	return transcript.Keyword{Text: k.Text, Relevance: k.Relevance,
		Mentions: each(k.Mentions, func(m mention) transcript.Mention {
			said := each(m.Occurrences, func(o exactly) transcript.Occurrence { return transcript.Occurrence(o) })
			return transcript.Mention{Speaker: m.Speaker, Occurrences: said}
		})}
}
