package record

import (
	"time"

	"parley/internal/analysis/spot"
)

// spotted is how a spot.Spotted is kept; times are in nanoseconds.
type spotted struct {
	Name     string    `json:"name"`
	Score    float64   `json:"score"`
	Keywords []keyword `json:"keywords"`
}

type keyword struct {
	Text      string    `json:"text"`
	Relevance float64   `json:"relevance,omitempty"` // of knowledge alone
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

func keepSpotted(g spot.Spotted) spotted {
	return spotted{g.Name, g.Score, each(g.Keywords, func(k spot.Keyword) keyword {
		return keyword{Text: k.Text, Mentions: each(k.Mentions, func(m spot.Mention) mention {
			return mention{m.Speaker, each(m.Occurrences, func(o spot.Occurrence) exactly { return exactly(o) })}
		})}
	})}
}

func (g spotted) found() spot.Spotted {
	return spot.Spotted{Name: g.Name, Score: g.Score, Keywords: each(g.Keywords, func(k keyword) spot.Keyword {
		return spot.Keyword{Text: k.Text, Mentions: each(k.Mentions, func(m mention) spot.Mention {
			return spot.Mention{Speaker: m.Speaker, Occurrences: each(m.Occurrences, func(o exactly) spot.Occurrence { return spot.Occurrence(o) })}
		})}
	})}
}
