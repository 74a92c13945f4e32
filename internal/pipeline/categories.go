package pipeline

import (
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
// condition that this version does not understand any more is left out with a warning.
func (a *Analyst) Categorize(m *media.Media, t *transcript.Transcript, found result.Findings, p *plan.Plan) ([]category.Found, []fault.Problem) {
	if p.Categories == nil {
		return nil, nil
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
	return category.Judge(&category.Request{Transcript: t, Value: values.Value, Categories: compiled}), warnings
}

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
