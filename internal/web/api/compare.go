package api

import (
	"strings"

	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
)

// comparedWith is the condition that a trial is compared with.
type comparedWith struct {
	saved bool   // that of the category
	query string // empty: do not compare
	own   bool   // the caller has sent it
}

// withShape is the valid object of compareWith.
var withShape = jsondoc.Fields(jsondoc.Field{Name: "condition", Shape: jsondoc.Text().Coded(fault.CodeQuery)})

// read parses compareWith: "saved" or an object with a condition.
func (c *comparedWith) read(v *jsondoc.Value) error {
	switch {
	case v.Absent():
		return nil
	case v.Kind() == jsondoc.String && strings.EqualFold(v.Text(), "saved"):
		c.saved = true
		return nil
	case v.Kind() == jsondoc.Object:
		c.query = v.Get("condition").Text()
	}
	if c.query == "" {
		return parameterFault(`/compareWith must be "saved", for the saved condition of the category, or {"condition":"…"}`)
	}
	return fault.All(fault.Invalid, jsondoc.Check(v, withShape.Coded(fault.CodeParameter), jsondoc.Codes{
		Type: fault.CodeParameter, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	}))
}

// defaultGroups is the usual number of values by which a trial is grouped.
const defaultGroups = 20

// readGrouping parses how a trial is grouped: by a period, or a field.
func (s *Server) readGrouping(r *request, root *jsondoc.Value) (*columnar.By, error) {
	zone, err := readZone(root)
	if err != nil {
		return nil, err
	}
	most, err := readWhole(root, "groupLimit", defaultGroups, 1, columnar.MaxValues)
	if err != nil {
		return nil, err
	}
	name := root.Get("groupBy").Text()
	switch i := columnar.Interval(strings.ToLower(name)); i {
	case "":
		return nil, nil
	case columnar.Daily, columnar.Weekly, columnar.Monthly:
		return &columnar.By{Scale: &columnar.Scale{Interval: i, Zone: zone}}, nil
	}
	f, err := s.readField(r, "/groupBy", name)
	return &columnar.By{Field: f, Most: most}, err
}

// samples renders calls, with the texts of conditions if they are shown.
func (who caller) samples(calls []columnar.Sample, shown bool) []wire.TrialSample {
	return list.Map(calls, func(c columnar.Sample) wire.TrialSample {
		matches := who.matches(c.Hits)
		if !shown {
			for i := range matches {
				matches[i].Conditions = []string{""}
			}
		}
		return wire.NewTrialSample(c.Media, c.Created, matches)
	})
}

// comparison renders the comparison of a trial, nil if there is none. shown reports whether the caller may see the
// condition of the trial.
func (who caller) comparison(trial *columnar.Trial, t trialRequest, shown bool) *wire.Comparison {
	c := trial.Comparison
	if c == nil {
		return nil
	}
	otherShown := t.with.own || who.defines()
	compared := &wire.Comparison{Matched: c.Other, Gained: c.Gained, Lost: c.Lost, Both: c.Other - c.Lost,
		Samples: wire.ComparisonSamples{Gained: who.samples(c.SamplesGained, shown),
			Lost: who.samples(c.SamplesLost, otherShown), Both: who.samples(c.Both, shown)}}
	if otherShown {
		compared.Query = t.with.query
	}
	return compared
}

// newTrialGroups renders the groups of a trial; nil if there are none.
func newTrialGroups(trial *columnar.Trial, t trialRequest) *wire.TrialGroups {
	found := trial.Groups
	if found == nil {
		return nil
	}
	groups := &wire.TrialGroups{Rows: []wire.TrialGroup{}}
	var facet wire.Facet
	if scale := t.By.Scale; scale != nil {
		groups.By, groups.Zone = string(scale.Interval), scale.Zone.String()
	} else {
		facet = newFacet(found.Facet)
		groups.By, groups.OtherValues, groups.OtherCalls, groups.WithoutValue = facet.Field, &facet.OtherValues,
			&facet.OtherCalls, &facet.WithoutValue
	}
	for i, g := range found.Rows {
		row := wire.NewTrialGroup(g.Calls, g.Matched)
		if trial.Comparison != nil {
			row.Gained, row.Lost = &g.Gained, &g.Lost
		}
		if t.By.Scale != nil {
			row = row.OfPeriod(g.From, g.Until)
		} else {
			row = row.OfValue(facet.Values[i])
		}
		groups.Rows = append(groups.Rows, row)
	}
	return groups
}
