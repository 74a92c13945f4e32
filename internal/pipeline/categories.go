package pipeline

import (
	"context"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/fact"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/query"
	"parley/internal/result"
	"parley/internal/transcript"
)

// Categorize judges a call by the categories of its plan, from all else that was found; nil where none were asked for. A
// condition that this version does not understand any more, or that is too much work, is left out with a warning. The error
// is the cause of the end of ctx.
func (a *Analyst) Categorize(ctx context.Context, m *media.Media, t *transcript.Transcript, found result.Findings, p *plan.Plan) ([]category.Found, []fault.Problem, error) {
	if p.Categories == nil {
		return nil, nil, nil
	}
	var warnings []fault.Problem
	var compiled []category.Category
	for _, c := range p.Categories {
		program, err := a.compile(c.Query)
		if err != nil {
			warnings = append(warnings, fault.Problem{Code: fault.CodeIgnored, Message: "the condition of the category " + c.Name + " is not understood any more and is left out; save it again"})
			continue
		}
		compiled = append(compiled, category.Category{Name: c.Name, Program: program})
	}
	values := fact.Of(&fact.Call{Media: m, Transcript: t, Findings: found, Finished: time.Now().UTC()})
	judged, undecided := category.Judge(&category.Request{Transcript: t, Value: values.Value, Categories: compiled, Stopped: ended(ctx)})
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	for _, name := range undecided {
		warnings = append(warnings, fault.Problem{Code: fault.CodeIgnored, Message: "to judge this recording by the category " + name + " is too much work, and it is left out; make its condition simpler"})
	}
	return judged, warnings, nil
}

// ended returns a function that reports whether ctx has ended.
func ended(ctx context.Context) func() bool { return func() bool { return ctx.Err() != nil } }

// mostConditions is how many compiled conditions are kept, so that each is compiled once and not once a call.
const mostConditions = 5000

// compile returns the program of a condition by its text.
func (a *Analyst) compile(text string) (*query.Program, error) {
	return a.conditions.find(text, 1, func() (*query.Program, error) {
		condition, err := query.ParseCondition(text, nil)
		if err != nil {
			return nil, err
		}
		return query.Compile(condition), nil
	})
}
