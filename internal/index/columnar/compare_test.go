package columnar_test

import (
	"slices"
	"time"

	"parley/internal/index/columnar"
	"parley/internal/query"
	"parley/internal/words/account"
)

// compare compares a trial of two conditions, by hours or by values, with the evaluation of every call.
func (s *shop) compare(what string, a account.ID, condition, other query.Condition) {
	s.t.Helper()
	is, was := s.naive(a, condition, true), s.naive(a, other, true)
	lost := slices.DeleteFunc(slices.Clone(was), func(id any) bool { return slices.Contains(is, id) })
	gained := len(is) - (len(was) - len(lost))
	team, err := query.ReadField("metadata:team").Check(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	by := []*columnar.By{ // one of them: together they take three times as long
		{Scale: &columnar.Scale{Interval: columnar.Hourly, Zone: time.UTC}},
		{Field: team.Selected(), Most: 100},
		{Field: query.Field{Space: query.Media, Path: []string{"length"}}, Most: 5},
	}[(len(is)+len(was))%3]
	trial, err := s.index.Try(s.t.Context(), a, columnar.Try{Condition: condition, With: other, Samples: 3, By: by})
	if err != nil {
		s.t.Fatal(err)
	}
	sum := columnar.Group{}
	for _, g := range trial.Groups.Rows {
		sum.Calls, sum.Matched, sum.Gained, sum.Lost = sum.Calls+g.Calls, sum.Matched+g.Matched, sum.Gained+g.Gained,
			sum.Lost+g.Lost
	}
	c := trial.Comparison
	if c.Gained != gained || c.Lost != len(lost) || c.Other != len(was) || len(c.SamplesLost) != min(3, len(lost)) ||
		len(c.SamplesGained) != min(3, gained) || trial.Matched != len(is) || len(trial.Samples) != min(3, len(is)) {
		s.t.Fatalf("%s: %s against %s: %+v, want %d gained, %d lost", what, query.Print(condition), query.Print(other), c,
			gained, len(lost))
	}
	if none := trial.Groups.Facet.None; sum.Calls+none != len(s.calls[a]) || none == 0 && (sum.Matched != len(is) ||
		sum.Gained != gained || sum.Lost != len(lost)) {
		s.t.Fatalf("%s: %s against %s by %+v: %+v, %d without", what, query.Print(condition), query.Print(other), by,
			sum, none)
	}
}
