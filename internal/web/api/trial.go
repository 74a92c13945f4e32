package api

import (
	"context"
	"time"

	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
)

// Limits of the number of calls that a trial lists.
const (
	defaultSamples = 10
	maxSamples     = 100
)

// trialShape lists the valid keys of a trial request.
var trialShape = jsondoc.Fields(
	jsondoc.Field{Name: "query", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	jsondoc.Field{Name: "onOrAfterDate", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "onOrBeforeDate", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "samples", Shape: jsondoc.Whole()},
	jsondoc.Field{Name: "compareWith", Shape: jsondoc.Any()},
	jsondoc.Field{Name: "groupBy", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "groupLimit", Shape: jsondoc.Whole()},
	jsondoc.Field{Name: "zone", Shape: jsondoc.Text()},
)

// trialRequest is a condition, parsed later, and the selection of calls to try it on.
type trialRequest struct {
	columnar.Try
	query string
	own   bool // the caller has sent the query
	with  comparedWith
}

// readTrial parses a body, which may be empty.
func (s *Server) readTrial(r *request) (t trialRequest, err error) {
	t.Samples = defaultSamples
	root, err := s.readObject(r, trialShape, fault.CodeQuery, `{"query":"\"agent\" SAYS \"hello\""}`)
	if err != nil {
		return t, err
	}
	t.query = root.Get("query").Text()
	if v := root.Get("onOrAfterDate").Text(); v != "" {
		if t.From, _, err = readDate("onOrAfterDate", v); err != nil {
			return t, err
		}
	}
	if v := root.Get("onOrBeforeDate").Text(); v != "" {
		if _, t.Until, err = readDate("onOrBeforeDate", v); err != nil {
			return t, err
		}
		t.Until = t.Until.Add(time.Millisecond) // the bound is inclusive
	}
	if n, ok := root.Get("samples").Int(); ok {
		if n < 0 || n > maxSamples {
			return t, parameterFault("samples %d is out of range; use a number from 0 to %d", n, maxSamples)
		}
		t.Samples = int(n)
	}
	if err = t.with.read(root.Get("compareWith")); err == nil {
		t.By, err = s.readGrouping(r, root)
	}
	return t, err
}

// testCondition evaluates a condition on the account's stored calls.
func (s *Server) testCondition(r *request) (any, error) {
	t, err := s.readTrial(r)
	if err != nil {
		return nil, err
	}
	if t.query == "" {
		return nil, fault.New(fault.Invalid, fault.CodeQuery,
			`/query is missing; give a condition such as "agent" SAYS "thank you"`)
	}
	if t.with.saved {
		return nil, parameterFault(`/compareWith: only a trial of a category has a saved condition; send {"condition":"…"}`)
	}
	t.own, t.with.own = true, true
	return s.try(r, "", t)
}

// testCategory evaluates a category, or a condition that might replace it, on the account's stored calls.
func (s *Server) testCategory(r *request) (any, error) {
	t, err := s.readTrial(r)
	if err != nil {
		return nil, err
	}
	t.own, t.with.own = t.query != "", !t.with.saved
	if !t.own || t.with.saved {
		saved, err := s.category(r, r.PathValue(categories.param))
		if err != nil {
			return nil, err
		}
		if !t.own {
			t.query = saved.Query
		}
		if t.with.saved {
			t.with.query = saved.Query
		}
	}
	return s.try(r, r.PathValue(categories.param), t)
}

func readCondition(ctx context.Context, text string, known *vbql.KnownNames) (vbql.Condition, error) {
	condition, err := work(ctx, func() (vbql.Condition, error) { return vbql.ParseCondition(text, known) })
	return condition, queryFault(err)
}

// tried parses a condition of a trial, which the caller has sent, or of a saved category.
func (s *Server) tried(r *request, category, place, text string, own bool) (vbql.Condition, error) {
	known := &vbql.KnownNames{Metrics: talk.Names(), Definition: category != ""}
	condition, err := work(r.Context(), func() (vbql.Condition, error) { return vbql.ParseCondition(text, known) })
	if err != nil {
		return nil, queryFaultAt(place, err)
	}
	if own {
		err = r.who.mayAsk(condition)
	}
	return condition, err
}

// try answers with the result of a trial: of the caller's own condition, or of a saved category, whose text is included
// if the caller may see it.
func (s *Server) try(r *request, name string, t trialRequest) (_ any, err error) {
	shown := t.own || r.who.defines()
	if t.Condition, err = s.tried(r, name, "", t.query, t.own); err != nil {
		return nil, err
	}
	if t.with.query != "" {
		if t.With, err = s.tried(r, name, "/compareWith: ", t.with.query, t.with.own); err != nil {
			return nil, err
		}
	}
	trial, err := s.Analytics.Try(r.Context(), r.who.Account.ID, t.Try)
	if err != nil {
		return nil, err
	}
	answer := wire.Trial{
		CategoryName: name, Query: t.query, Calls: trial.Calls, Matched: trial.Matched,
		Rate: wire.Rate(trial.Matched, trial.Calls),
		Days: list.Map(trial.Days, func(d columnar.Day) wire.TrialDay {
			return wire.NewTrialDay(d.Date, d.Calls, d.Matched)
		}),
		Samples: []wire.TrialSample{}, QueryTimeMillis: wire.WholeMillis(trial.Took),
		Coverage: wire.NewCoverage(trial.LeftOut.Total(), trial.LeftOut.Warning()),
	}
	answer.Samples = r.who.samples(trial.Samples, shown)
	if !shown {
		answer.Query = ""
	}
	answer.Comparison = r.who.comparison(trial, t, shown)
	answer.Groups = newTrialGroups(trial, t)
	return sized(r.Context(), answer)
}
