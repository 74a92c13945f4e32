package api

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
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
)

// trialRequest is a condition and the selection of calls to try it on.
type trialRequest struct {
	query   string
	from    time.Time
	until   time.Time
	samples int
}

// readTrial parses a body, which may be empty.
func (s *Server) readTrial(w http.ResponseWriter, r *http.Request) (t trialRequest, err error) {
	t.samples = defaultSamples
	sent, err := s.readDocument(w, r, mostStatement)
	if err != nil || len(bytes.TrimSpace(sent)) == 0 {
		return t, err
	}
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: mostStatement, Depth: 8, Values: 100})
	if err != nil {
		return t, fault.New(fault.Invalid, fault.CodeQuery, `the body is invalid JSON; send {"query":"…"}: %w`, err)
	}
	if root.Kind() != jsondoc.Object {
		return t, fault.New(fault.Invalid, fault.CodeQuery,
			`the body is %s; send an object such as {"query":"\"agent\" SAYS \"hello\""}`, root.Kind())
	}
	err = fault.All(fault.Invalid, jsondoc.Check(root, trialShape, jsondoc.Codes{
		Type: fault.CodeParameter, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	}))
	if err != nil {
		return t, err
	}
	t.query = root.Get("query").Text()
	if v := root.Get("onOrAfterDate").Text(); v != "" {
		if t.from, _, err = readDate("onOrAfterDate", v); err != nil {
			return t, err
		}
	}
	if v := root.Get("onOrBeforeDate").Text(); v != "" {
		if _, t.until, err = readDate("onOrBeforeDate", v); err != nil {
			return t, err
		}
		t.until = t.until.Add(time.Millisecond) // the bound is inclusive
	}
	if n, ok := root.Get("samples").Int(); ok {
		if n < 0 || n > maxSamples {
			return t, parameterFault("samples %d is out of range; use a number from 0 to %d", n, maxSamples)
		}
		t.samples = int(n)
	}
	return t, nil
}

// testCondition evaluates a condition on the account's stored calls.
func (s *Server) testCondition(w http.ResponseWriter, r *http.Request, who caller) error {
	t, err := s.readTrialRequest(w, r)
	if err != nil {
		return err
	}
	if t.query == "" {
		return fault.New(fault.Invalid, fault.CodeQuery,
			`/query is missing; give a condition such as "agent" SAYS "thank you"`)
	}
	return s.try(w, r, who, "", t, true)
}

// testCategory evaluates a category, or a condition that might replace it, on the account's stored calls.
func (s *Server) testCategory(w http.ResponseWriter, r *http.Request, who caller) error {
	t, err := s.readTrialRequest(w, r)
	if err != nil {
		return err
	}
	name := r.PathValue(categories.param)
	own := t.query != ""
	if !own {
		saved, err := s.category(r, who)
		if err != nil {
			return err
		}
		t.query = saved.Query
	}
	return s.try(w, r, who, name, t, own)
}

func (s *Server) readTrialRequest(w http.ResponseWriter, r *http.Request) (trialRequest, error) {
	if _, err := readQuery(r); err != nil {
		return trialRequest{}, err
	}
	return s.readTrial(w, r)
}

// readCondition parses a condition.
func readCondition(ctx context.Context, text string, known *vbql.Known) (vbql.Condition, error) {
	condition, err := work(ctx, func() (vbql.Condition, error) { return vbql.ParseCondition(text, known) })
	return condition, queryFault(err)
}

// try answers with the result of a trial: of the caller's own condition, or of a saved category, whose text is included
// if the caller may see it.
func (s *Server) try(w http.ResponseWriter, r *http.Request, who caller, name string, t trialRequest, own bool) error {
	told := own || who.defines()
	condition, err := readCondition(r.Context(), t.query, &vbql.Known{Metrics: talk.Names(), Definition: name != ""})
	if err != nil {
		return err
	}
	if own {
		if err := who.mayAsk(condition); err != nil {
			return err
		}
	}
	trial, err := s.Analytics.Try(r.Context(), who.Account.ID,
		columnar.Try{Condition: condition, From: t.from, Until: t.until, Samples: t.samples})
	if err != nil {
		return err
	}
	answer := wire.Trial{
		CategoryName: name, Query: t.query, Calls: trial.Calls, Matched: trial.Matched,
		Rate: wire.Rate(trial.Matched, trial.Calls),
		Days: []wire.TrialDay{}, Samples: []wire.TrialSample{}, QueryTimeMillis: wire.WholeMillis(trial.Took),
		Coverage: wire.NewCoverage(trial.LeftOut.Total(), trial.LeftOut.Warning()),
	}
	for _, d := range trial.Days {
		answer.Days = append(answer.Days, wire.NewTrialDay(d.Date, d.Calls, d.Matched))
	}
	for _, c := range trial.Samples {
		if !told {
			for i := range c.Hits {
				c.Hits[i].Condition = ""
			}
		}
		answer.Samples = append(answer.Samples, wire.NewTrialSample(c.Media, c.Created, who.matches(c.Hits)))
	}
	if !told {
		answer.Query = ""
	}
	return writeSized(w, r, answer)
}
