package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Answer is the answer to a statement of the query language.
type Answer struct {
	TotalResults int `json:"totalResults"`
	// TotalIsLowerBound is set if counting stopped at a time limit.
	TotalIsLowerBound bool              `json:"totalIsLowerBound,omitempty"`
	QueryTimeMillis   int64             `json:"queryTimeMillis"` // rounded up
	Limit             int               `json:"limit"`
	Offset            int               `json:"offset"`
	Hits              [][]Match         `json:"hits"` // hits per row; absent unless the statement has hits()
	Rows              []json.RawMessage `json:"rows"`
	Plan              *QueryPlan        `json:"plan,omitempty"` // for EXPLAIN only
	Coverage
}

// Coverage states how many calls an aggregate answer does not cover. It is empty if it covers all.
type Coverage struct {
	NotIndexed int       `json:"notIndexed,omitempty"` // number of calls that are not covered
	Warnings   []Message `json:"warnings,omitempty"`
}

// NewCoverage returns the Coverage of an answer that does not cover n calls.
func NewCoverage(n int, warning fault.Problem) Coverage {
	if n == 0 {
		return Coverage{}
	}
	return Coverage{n, messages([]fault.Problem{warning})}
}

// Match is a place where a condition holds.
type Match struct {
	Score       float64    `json:"score"`
	Conditions  []string   `json:"conditions"`
	FieldValues MatchPlace `json:"fieldValues"`
}

// MatchPlace is the place of something said in a call.
type MatchPlace struct {
	StartMs    int64   `json:"startMs"`
	EndMs      int64   `json:"endMs"`
	StartRatio float64 `json:"startRatio"` // relative to the length of the call
	Line       int     `json:"line"`       // index of the turn, from 1; 0 for silence and overtalk
	Speaker    string  `json:"speaker"`
	Text       string  `json:"text"`
	Before     string  `json:"before,omitempty"` // words of the same turn
	After      string  `json:"after,omitempty"`
}

// NewMatch returns a match of a condition.
func NewMatch(condition string, start, end time.Duration, ratio float64, turn int, speaker, text string) Match {
	return Match{1, []string{condition}, MatchPlace{StartMs: ms(start), EndMs: ms(end),
		StartRatio: round(ratio, 4), Line: turn, Speaker: speaker, Text: text}}
}

// QueryPlan describes how an answer was computed.
type QueryPlan struct {
	Query      string    `json:"query"`
	Segments   int       `json:"segments"`
	Calls      int       `json:"calls"`
	Steps      []StepRow `json:"steps"`
	Matched    int       `json:"matched"`
	TimeMillis float64   `json:"timeMillis"`
}

// StepRow is one step of a plan: its operation, and the number of calls that it returns or scans.
type StepRow struct {
	Step  string `json:"step"`
	What  string `json:"what,omitempty"`
	Calls int    `json:"calls"`
}

// Row returns a row as an object whose members have the order of the columns. Values are nil, float64, string, bool,
// time.Time, json.RawMessage or any other type that package json can encode.
func Row(columns []string, values []any) (json.RawMessage, error) {
	var b bytes.Buffer
	seen := map[string]bool{}
	b.WriteByte('{')
	for i, name := range columns {
		if seen[name] {
			continue
		}
		seen[name] = true
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		key, err := Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := Marshal(cell(values[i]))
		if err != nil {
			return nil, err
		}
		b.Write(bytes.TrimSpace(key))
		b.WriteByte(':')
		b.Write(bytes.TrimSpace(value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// cell returns the JSON representation of a value.
func cell(v any) any {
	switch v := v.(type) {
	case time.Time:
		return Time{v}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
		return round(v, 9)
	}
	return v
}

// WholeMillis returns a duration in milliseconds, rounded up.
func WholeMillis(d time.Duration) int64 { return int64((d + time.Millisecond - 1) / time.Millisecond) }

// Millis returns a duration in milliseconds with three decimals.
func Millis(d time.Duration) float64 { return round(float64(d)/float64(time.Millisecond), 3) }

// Schema lists the fields that statements can use.
type Schema struct {
	Links  Links         `json:"_links"`
	Fields []SchemaField `json:"fields"`
}

// SchemaField is a field with an example value.
type SchemaField struct {
	Field   string `json:"field"` // as written in statements
	Type    string `json:"type"`  // varchar, double, boolean, timestamp, integer or json
	Defined bool   `json:"defined,omitempty"`
	Example any    `json:"example,omitempty"`
}

// NewSchemaField returns a field; the example is nil, float64, string, bool or time.Time.
func NewSchemaField(field, kind string, defined bool, example any) SchemaField {
	return SchemaField{field, kind, defined, cell(example)}
}

// NewSchema returns a list of fields.
func NewSchema(fields []SchemaField) Schema {
	return Schema{self("analytics", "schema"), append([]SchemaField{}, fields...)}
}

// Trial is the result of trying a condition on stored calls.
type Trial struct {
	CategoryName    string        `json:"categoryName,omitempty"`
	Query           string        `json:"query"`
	Calls           int           `json:"calls"`
	Matched         int           `json:"matched"`
	Rate            float64       `json:"rate"` // matched / calls
	Days            []TrialDay    `json:"days"`
	Samples         []TrialSample `json:"samples"`
	Comparison      *Comparison   `json:"comparison,omitempty"`
	Groups          *TrialGroups  `json:"groups,omitempty"`
	QueryTimeMillis int64         `json:"queryTimeMillis"` // rounded up
	Coverage
}

// Comparison is how the calls that match a condition differ from those that match another one.
type Comparison struct {
	Query   string            `json:"query,omitempty"` // the other condition
	Matched int               `json:"matched"`         // calls that match it
	Gained  int               `json:"gained"`          // calls that match only the condition of the trial
	Lost    int               `json:"lost"`            // calls that match only the other one
	Both    int               `json:"both"`
	Samples ComparisonSamples `json:"samples"`
}

// ComparisonSamples are the newest calls of each kind. Hits of lost calls are those of the other condition.
type ComparisonSamples struct {
	Gained []TrialSample `json:"gained"`
	Lost   []TrialSample `json:"lost"`
	Both   []TrialSample `json:"both"`
}

// TrialGroups counts the calls of a trial by periods, or by the values of a field.
type TrialGroups struct {
	By           string       `json:"by"`
	Zone         string       `json:"zone,omitempty"` // of periods
	Rows         []TrialGroup `json:"rows"`
	OtherValues  *int         `json:"otherValues,omitempty"`
	OtherCalls   *int         `json:"otherCalls,omitempty"`
	WithoutValue *int         `json:"withoutValue,omitempty"`
}

// TrialGroup is the counts of a period, whose Until is its last millisecond, or of a value, or of a range of numbers,
// whose Until is exclusive.
type TrialGroup struct {
	From      any     `json:"from,omitempty"`
	Until     any     `json:"until,omitempty"`
	Value     any     `json:"value,omitempty"`
	Condition string  `json:"condition,omitempty"` // of the query language, which these calls meet
	Calls     int     `json:"calls"`
	Matched   int     `json:"matched"`
	Rate      float64 `json:"rate"`
	Gained    *int    `json:"gained,omitempty"` // with a comparison
	Lost      *int    `json:"lost,omitempty"`
}

// NewTrialGroup returns the counts of a group that has no name yet.
func NewTrialGroup(calls, matched int) TrialGroup {
	return TrialGroup{Calls: calls, Matched: matched, Rate: Rate(matched, calls)}
}

// OfPeriod returns the group as that of a period, until exclusive.
func (g TrialGroup) OfPeriod(from, until time.Time) TrialGroup {
	b := NewBucket(from, until, 0)
	g.From, g.Until = b.From, b.Until
	return g
}

// OfValue returns the group as that of a value of a facet.
func (g TrialGroup) OfValue(v FacetValue) TrialGroup {
	g.Value, g.Condition = v.Value, v.Condition
	if v.From != nil {
		g.From = *v.From
	}
	if v.To != nil {
		g.Until = *v.To
	}
	return g
}

// TrialDay counts the calls of a day, in UTC.
type TrialDay struct {
	Date    string  `json:"date"`
	Calls   int     `json:"calls"`
	Matched int     `json:"matched"`
	Rate    float64 `json:"rate"`
}

// NewTrialDay returns the counts of a day.
func NewTrialDay(day time.Time, calls, matched int) TrialDay {
	return TrialDay{day.Format(time.DateOnly), calls, matched, Rate(matched, calls)}
}

// Rate returns some/all, or 0 if all is 0.
func Rate(some, all int) float64 {
	if all == 0 {
		return 0
	}
	return round(float64(some)/float64(all), 4)
}

// TrialSample is a call that matches a condition.
type TrialSample struct {
	Links       Links    `json:"_links"`
	MediaID     media.ID `json:"mediaId"`
	DateCreated Time     `json:"dateCreated"`
	Hits        []Match  `json:"hits"`
}

// NewTrialSample returns a call that matches a condition.
func NewTrialSample(id media.ID, created time.Time, hits []Match) TrialSample {
	return TrialSample{self("media", string(id)), id, Time{created}, append([]Match{}, hits...)}
}
