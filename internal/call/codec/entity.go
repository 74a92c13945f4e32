package codec

import (
	"time"

	"parley/internal/analysis/entity"
)

// entityRecord is the stored form of an entity.Entity. Times are in nanoseconds.
type entityRecord struct {
	Type      string        `json:"type"`
	Text      string        `json:"text"`
	Formatted string        `json:"formatted,omitempty"`
	Speaker   int           `json:"speaker"`
	Start     time.Duration `json:"start"`
	End       time.Duration `json:"end"`
	Money     *money        `json:"money,omitempty"`
}

type money struct {
	Whole int64 `json:"whole"`
	Centi int64 `json:"centi"`
}

func newEntityRecord(e entity.Entity) entityRecord {
	return entityRecord{string(e.Type), e.Text, e.Formatted, e.Speaker, e.Start, e.End, (*money)(e.Money)}
}

func (n entityRecord) decode() entity.Entity {
	return entity.Entity{Type: entity.Type(n.Type), Text: n.Text, Formatted: n.Formatted, Speaker: n.Speaker,
		Start: n.Start, End: n.End, Money: (*entity.Money)(n.Money)}
}
