package wire

import (
	"parley/internal/analysis/entity"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Entity is one mention of an entity.
type Entity struct {
	Text          string `json:"text"`
	Type          string `json:"type"`
	FormattedText string `json:"formattedText,omitempty"`
	SpeakerName   string `json:"speakerName,omitempty"`
	S             int64  `json:"s"` // ms
	E             int64  `json:"e"` // ms
	Money         *Money `json:"money,omitempty"`
}

// Money is an amount in whole units and hundredths.
type Money struct {
	Whole int64 `json:"whole"`
	Centi int64 `json:"centi"`
}

func newEntities(t *transcript.Transcript, found []entity.Entity) []Entity {
	if found == nil {
		return nil
	}
	return list.Map(found, func(e entity.Entity) Entity {
		return Entity{e.Text, string(e.Type), e.Formatted, t.Speakers[e.Speaker].Name, ms(e.Start), ms(e.End),
			(*Money)(e.Money)}
	})
}
