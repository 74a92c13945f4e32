package wire

import (
	"time"

	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Exploration is the answer about the calls that meet a condition. Parts that were not asked for are nil.
type Exploration struct {
	Rows *[]ExploredRow `json:"rows,omitempty"`
	Next media.ID       `json:"next,omitempty"` // the value of before for the next page; empty if this is the last one
	// Calls is how many calls the condition was evaluated on.
	Calls             int        `json:"calls"`
	TotalResults      *int       `json:"totalResults,omitempty"`
	TotalIsLowerBound bool       `json:"totalIsLowerBound,omitempty"` // all counts are lower bounds
	Facets            *[]Facet   `json:"facets,omitempty"`
	Histogram         *Histogram `json:"histogram,omitempty"`
	QueryTimeMillis   int64      `json:"queryTimeMillis"` // rounded up
	Coverage
}

// ExploredRow is a call as lists show it.
type ExploredRow struct {
	Links       Links              `json:"_links"`
	MediaID     media.ID           `json:"mediaId"`
	DateCreated Time               `json:"dateCreated"`
	Title       string             `json:"title,omitempty"`
	ExternalID  string             `json:"externalId,omitempty"`
	Language    string             `json:"language,omitempty"`
	Length      int64              `json:"length"` // ms
	Metrics     map[string]float64 `json:"metrics,omitempty"`
	Categories  []string           `json:"categories,omitempty"` // those with the value 1
	Speakers    []string           `json:"speakers,omitempty"`
	HitCount    int                `json:"hitCount,omitempty"`
	Hit         *Match             `json:"hit,omitempty"` // the first
}

// NewExploredRow returns a row with the data that every row has.
func NewExploredRow(id media.ID, created time.Time, length time.Duration) ExploredRow {
	return ExploredRow{Links: self("media", string(id)), MediaID: id, DateCreated: Time{created}, Length: ms(length)}
}

// Facet is how many calls have which values of a field.
type Facet struct {
	Field        string       `json:"field"`
	Values       []FacetValue `json:"values"`
	OtherValues  int          `json:"otherValues"`
	OtherCalls   int          `json:"otherCalls"`
	WithoutValue int          `json:"withoutValue"`
}

// FacetValue is a value or, with From and To, a range of numbers.
type FacetValue struct {
	Value     any      `json:"value,omitempty"`
	From      *float64 `json:"from,omitempty"`
	To        *float64 `json:"to,omitempty"` // exclusive
	Calls     int      `json:"calls"`
	Condition string   `json:"condition"` // of the query language, which these calls meet
}

// NewFacetValue returns a value, which is float64, string, bool or time.Time, or nil for a range.
func NewFacetValue(value any, from, to *float64, calls int, condition string) FacetValue {
	return FacetValue{cell(value), from, to, calls, condition}
}

// Histogram counts calls by intervals of a calendar.
type Histogram struct {
	Interval string   `json:"interval"`
	Zone     string   `json:"zone"`
	Buckets  []Bucket `json:"buckets"`
}

// Bucket counts the calls of an interval.
type Bucket struct {
	From  Time `json:"from"`
	Until Time `json:"until"` // its last millisecond
	Calls int  `json:"calls"`
}

// NewBucket returns a bucket of the calls from one time to another, exclusive.
func NewBucket(from, until time.Time, calls int) Bucket {
	return Bucket{Time{from}, Time{until.Add(-time.Millisecond)}, calls}
}

// Words are the most frequent words.
type Words struct {
	Links Links       `json:"_links"`
	Words []WordCount `json:"words"`
	Coverage
}

// WordCount is a word with the number of calls that have it.
type WordCount struct {
	Word  string `json:"word"`
	Calls int    `json:"calls"`
}

// NewWords returns a list of words.
func NewWords(words []WordCount, c Coverage) Words {
	return Words{self("analytics", "words"), append([]WordCount{}, words...), c}
}

// FieldValues are the most frequent values of a field.
type FieldValues struct {
	Links Links `json:"_links"`
	Facet
	Coverage
}

// NewFieldValues returns the values of a field.
func NewFieldValues(f Facet, c Coverage) FieldValues {
	return FieldValues{self("analytics", "values"), f, c}
}

// Distributions are how numbers are distributed over calls.
type Distributions struct {
	Links           Links          `json:"_links"`
	Calls           int            `json:"calls"`
	Distributions   []Distribution `json:"distributions"`
	QueryTimeMillis int64          `json:"queryTimeMillis"` // rounded up
	Coverage
}

// NewDistributions returns distributions over a number of calls.
func NewDistributions(calls int, all []Distribution, took time.Duration, c Coverage) Distributions {
	return Distributions{self("analytics", "distributions"), calls, append([]Distribution{}, all...), WholeMillis(took), c}
}

// Distribution is how the numbers of a field are distributed.
type Distribution struct {
	Field     string    `json:"field"`
	Calls     int       `json:"calls"` // that have a number
	Quantiles []float64 `json:"quantiles"`
}

// NewDistribution returns a distribution.
func NewDistribution(field string, calls int, quantiles []float64) Distribution {
	return Distribution{field, calls, list.Map(quantiles, func(q float64) float64 { return round(q, 6) })}
}
