package api

import (
	"fmt"
	"slices"

	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
)

// Defaults of explorations.
const (
	defaultRows   = 25
	defaultValues = 10 // of a facet
)

// section is a part of the answer to an exploration.
type section string

const (
	rowsSection      section = "rows"
	totalSection     section = "total"
	facetsSection    section = "facets"
	histogramSection section = "histogram"
)

var sections = []section{rowsSection, totalSection, facetsSection, histogramSection}

// exploreShape lists the valid keys of an exploration.
var exploreShape = jsondoc.Fields(
	jsondoc.Field{Name: "where", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	jsondoc.Field{Name: "words", Shape: jsondoc.Text()},
	periodFields[0], periodFields[1], periodFields[2],
	jsondoc.Field{Name: "include", Shape: jsondoc.List(jsondoc.Enum(fault.CodeParameter, sections...))},
	jsondoc.Field{Name: "facets", Shape: jsondoc.List(jsondoc.Text())},
	jsondoc.Field{Name: "facetLimit", Shape: jsondoc.Whole()},
	jsondoc.Field{Name: "interval", Shape: jsondoc.Enum(fault.CodeParameter, columnar.Intervals...)},
	jsondoc.Field{Name: "limit", Shape: jsondoc.Whole()},
	jsondoc.Field{Name: "before", Shape: jsondoc.Text()},
)

// exploration is a request for an exploration.
type exploration struct {
	columnar.Exploration
	include []section // empty: all
}

func (e *exploration) has(s section) bool {
	return len(e.include) == 0 || slices.Contains(e.include, s)
}

// postExplore answers what calls there are that meet a condition.
func (s *Server) postExplore(r *request) (any, error) {
	e, err := s.readExploration(r)
	if err != nil {
		return nil, err
	}
	found, err := s.Analytics.Explore(r.Context(), r.who.Account.ID, e.Exploration)
	if err != nil {
		return nil, err
	}
	return work(r.Context(), func() (any, error) { return sized(r.Context(), newExploration(r.who, e, found)) })
}

// readExploration parses a body, which may be empty.
func (s *Server) readExploration(r *request) (e exploration, err error) {
	root, err := s.readObject(r, exploreShape, fault.CodeParameter, `{"where":"length > 60000","facets":["language"]}`)
	if err != nil {
		return e, err
	}
	for _, v := range root.Get("include").Items() {
		e.include = append(e.include, section(exploreShape.At("include").Canonical(v.Text())))
	}
	for _, read := range []func(*request, *jsondoc.Value) error{
		e.readPeriod, e.readRows, e.readHistogram,
		func(r *request, root *jsondoc.Value) error { return s.readAsked(r, root, &e) },
		func(r *request, root *jsondoc.Value) error { return s.readFacets(r, root, &e) },
	} {
		if err := read(r, root); err != nil {
			return e, err
		}
	}
	e.Counts = e.has(totalSection) || e.has(histogramSection) || e.has(facetsSection)
	return e, nil
}

// readPeriod parses the period.
func (e *exploration) readPeriod(_ *request, root *jsondoc.Value) error {
	p, err := readPeriod(root)
	e.From, e.Until, e.Histogram = p.From, p.Until, &columnar.Scale{Zone: p.Zone}
	return err
}

func (e *exploration) readRows(_ *request, root *jsondoc.Value) (err error) {
	if e.Rows, err = readWhole(root, "limit", defaultRows, 0, maxLimit); err != nil {
		return err
	}
	if !e.has(rowsSection) {
		e.Rows = 0
	}
	if v := root.Get("before").Text(); v != "" {
		e.Before, err = readBound("/before", v)
	}
	return err
}

// readWhole parses an optional whole number in a range.
func readWhole(root *jsondoc.Value, name string, usual, least, most int) (int, error) {
	n, ok := root.Get(name).Int()
	if !ok {
		return usual, nil
	}
	if n < int64(least) || n > int64(most) {
		return 0, parameterFault("/%s: %d is out of range; use a number from %d to %d", name, n, least, most)
	}
	return int(n), nil
}

// readHistogram parses the interval. The zone is known.
func (e *exploration) readHistogram(_ *request, root *jsondoc.Value) error {
	e.Histogram.Interval = columnar.Interval(exploreShape.At("interval").Canonical(root.Get("interval").Text()))
	if !e.has(histogramSection) {
		e.Histogram = nil
	}
	return nil
}

// readAsked parses the words and the condition. Calls must match both.
func (s *Server) readAsked(r *request, root *jsondoc.Value, e *exploration) error {
	var asked vbql.And
	if words := root.Get("words").Text(); words != "" {
		e.Searchable = true
		c, err := work(r.Context(), func() (vbql.Condition, error) { return fulltext.ParseNamed("/words", words) })
		if err != nil {
			return err
		}
		asked = append(asked, c)
	}
	if where := root.Get("where").Text(); where != "" {
		c, err := s.readWhere(r, where)
		if err != nil {
			return err
		}
		asked = append(asked, c)
	}
	switch len(asked) {
	case 0:
		return nil
	case 1:
		e.Condition = asked[0]
	default:
		e.Condition = asked
	}
	return r.who.mayAsk(e.Condition)
}

// readWhere parses a condition, whose names must exist in the account.
func (s *Server) readWhere(r *request, text string) (vbql.Condition, error) {
	_, known, err := s.draft(r, text, vbql.Read)
	if err != nil {
		return nil, err
	}
	return readCondition(r.Context(), text, known)
}

func (s *Server) readFacets(r *request, root *jsondoc.Value, e *exploration) (err error) {
	e.Values, err = readWhole(root, "facetLimit", defaultValues, 1, columnar.MaxValues)
	if err != nil || !e.has(facetsSection) {
		return err
	}
	names := root.Get("facets").Items()
	if len(names) > columnar.MaxFacets {
		return parameterFault("/facets: %d fields; the maximum is %d", len(names), columnar.MaxFacets)
	}
	for i, name := range names {
		f, err := s.readField(r, fmt.Sprintf("/facets/%d", i), name.Text())
		if err != nil {
			return err
		}
		e.Facets = append(e.Facets, f)
	}
	return nil
}

// readField parses the name of a field whose values are to be shown. Errors name the place.
func (s *Server) readField(r *request, place, name string) (f vbql.Field, err error) {
	parsed, known, err := s.draft(r, name, vbql.ReadField)
	if err != nil {
		return f, err
	}
	statement, err := parsed.Check(known)
	if err != nil {
		return f, queryFaultAt(place+": ", err)
	}
	if f = statement.Selected(); isContent(f) && !r.who.reads() {
		return f, needsRead(place + ": " + f.String())
	}
	return f, nil
}

func newExploration(who caller, e exploration, found *columnar.Explored) wire.Exploration {
	answer := wire.Exploration{Calls: found.Calls, TotalIsLowerBound: found.LowerBound,
		QueryTimeMillis: wire.WholeMillis(found.Took),
		Coverage:        wire.NewCoverage(found.LeftOut.Total(), found.LeftOut.Warning())}
	if e.has(rowsSection) {
		rows := list.Map(found.Rows, who.row)
		if answer.Rows = &rows; found.More && len(rows) > 0 {
			answer.Next = rows[len(rows)-1].MediaID
		}
	}
	if e.has(totalSection) {
		answer.TotalResults = &found.Total
	}
	if e.has(facetsSection) {
		answer.Facets = new(list.Map(found.Facets, newFacet))
	}
	if e.Histogram != nil {
		answer.Histogram = &wire.Histogram{Interval: string(found.Interval), Zone: e.Histogram.Zone.String(),
			Buckets: list.Map(found.Buckets, func(b columnar.Bucket) wire.Bucket {
				return wire.NewBucket(b.From, b.Until, b.Calls)
			})}
	}
	return answer
}

// row renders a call: its figures and, for callers who may see the contents of recordings, its texts and speakers.
func (who caller) row(r columnar.Row) wire.ExploredRow {
	row := wire.NewExploredRow(r.Media, r.Created, r.Length)
	row.Language, row.Categories, row.HitCount = r.Language, r.Categories, r.Hits
	for _, f := range r.Figures {
		if row.Metrics == nil {
			row.Metrics = map[string]float64{}
		}
		row.Metrics[f.Metric] = f.Value
	}
	if r.Hit != nil {
		row.Hit = &who.matches([]columnar.Hit{*r.Hit})[0]
	}
	if !who.reads() {
		return row
	}
	row.Title, row.ExternalID = r.Title, r.ExternalID
	for _, s := range r.Speakers {
		row.Speakers = append(row.Speakers, s.Name)
	}
	return row
}

func newFacet(f columnar.Facet) wire.Facet {
	return wire.Facet{Field: f.Field.String(), OtherValues: f.Others, OtherCalls: f.Rest, WithoutValue: f.None,
		Values: list.Map(f.Values, func(v columnar.FacetValue) wire.FacetValue {
			return wire.NewFacetValue(v.Value, v.From, v.To, v.Calls, vbql.Print(v.Condition))
		})}
}
