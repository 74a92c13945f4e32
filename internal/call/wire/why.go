package wire

import (
	"time"

	"parley/internal/words/media"
)

// Why tells why a call meets a condition, or not.
type Why struct {
	Links           Links    `json:"_links"`
	MediaID         media.ID `json:"mediaId"`
	CategoryName    string   `json:"categoryName,omitempty"`
	Query           string   `json:"query"` // the text that places refer to
	Holds           bool     `json:"holds"`
	Condition       WhyPart  `json:"condition"`
	Incomplete      bool     `json:"incomplete,omitempty"` // some misses are left out
	QueryTimeMillis int64    `json:"queryTimeMillis"`      // rounded up
}

// NewWhy returns the answer about a call.
func NewWhy(id media.ID, category, query string, part WhyPart, incomplete bool, took time.Duration) Why {
	return Why{self("media", string(id), "why"), id, category, query, part.Holds, part, incomplete, WholeMillis(took)}
}

// WhyPart is a part of a condition, and what a call has of it.
type WhyPart struct {
	ConditionPlace
	Holds    bool         `json:"holds"`
	MustNot  bool         `json:"mustNot,omitempty"`  // a side of NOT FOLLOWED BY
	Decisive []int        `json:"decisive,omitempty"` // the indices of the parts that decide
	HitCount int          `json:"hitCount,omitempty"`
	Hits     []MatchPlace `json:"hits,omitempty"` // the first ones
	Misses   []Miss       `json:"misses,omitempty"`
	Parts    []WhyPart    `json:"parts,omitempty"`
}

// Miss is something near a condition that a call has instead.
type Miss struct {
	Kind      string       `json:"kind"`
	Message   string       `json:"message"`
	Condition string       `json:"condition,omitempty"` // that the call meets
	Places    []MatchPlace `json:"places,omitempty"`
	Speakers  []string     `json:"speakers,omitempty"`
	Slop      int          `json:"slop,omitempty"`
	Ms        int64        `json:"ms,omitempty"`
	Said      []string     `json:"said,omitempty"`
	Missing   []string     `json:"missing,omitempty"`
	Word      string       `json:"word,omitempty"`
	Nearest   string       `json:"nearest,omitempty"`
	Field     string       `json:"field,omitempty"`
	Value     any          `json:"value,omitempty"`
}

// WithValue returns the miss with the value of a field, which is nil, float64, string, bool or time.Time.
func (m Miss) WithValue(field string, value any) Miss {
	m.Field, m.Value = field, cell(value)
	return m
}

// WithDuration returns the miss with a length of time.
func (m Miss) WithDuration(d time.Duration) Miss {
	m.Ms = ms(d)
	return m
}

// NewPlace returns a place with the words around it.
func NewPlace(
	start, end time.Duration, ratio float64, turn int, speaker, text, before, after string,
) MatchPlace {
	p := NewMatch("", start, end, ratio, turn, speaker, text).FieldValues
	p.Before, p.After = before, after
	return p
}
