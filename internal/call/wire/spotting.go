package wire

import (
	"encoding/json"
	"strconv"

	"parley/internal/analysis/spot"
	"parley/internal/words/account"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Spotting holds the results of the requested keyword groups.
type Spotting struct {
	Groups []SpottedGroup `json:"groups"`
}

// SpottedGroup is the result of one keyword group.
type SpottedGroup struct {
	GroupName       string    `json:"groupName"`
	Spotted         bool      `json:"spotted"`
	Score           Score     `json:"score"`
	SpottedKeywords []Keyword `json:"spottedKeywords"`
}

// Score is a number that is encoded as a string, such as "0.25", unless AsNumber is set.
type Score struct {
	Value    float64
	AsNumber bool
}

// MarshalJSON implements json.Marshaler.
func (s Score) MarshalJSON() ([]byte, error) {
	if s.AsNumber {
		return json.Marshal(s.Value)
	}
	return json.Marshal(strconv.FormatFloat(s.Value, 'f', -1, 64))
}

// Keyword is a word or phrase with its places.
type Keyword struct {
	Keyword   string          `json:"keyword"`
	Relevance float64         `json:"relevance"` // 0..1
	Mentions  []SpeakerPlaces `json:"mentions"`
}

// certain is the relevance of a keyword of a group.
const certain = 1

func newSpotting(t *transcript.Transcript, found []spot.Result, c account.Compatibility) *Spotting {
	if found == nil {
		return nil
	}
	return &Spotting{list.Map(found, func(g spot.Result) SpottedGroup {
		group := SpottedGroup{GroupName: g.Name, Spotted: len(g.Keywords) > 0,
			Score: Score{round(g.Score, 4), c.ScoreAsNumber}, SpottedKeywords: newKeywords(t, g.Keywords)}
		for i := range group.SpottedKeywords {
			group.SpottedKeywords[i].Relevance = certain
		}
		return group
	})}
}
