package pipeline

import (
	"sync"
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
		program, err := a.conditions.compile(c.Query)
		if err != nil {
			warnings = append(warnings, fault.Problem{Code: fault.CodeIgnored, Message: "the condition of the category " + c.Name + " is not understood any more and is left out; save it again"})
			continue
		}
		compiled = append(compiled, category.Category{Name: c.Name, Program: program})
	}
	values := fact.Of(&fact.Call{Media: m, Transcript: t, Findings: found, Finished: time.Now().UTC()})
	return category.Judge(&category.Request{Transcript: t, Value: values.Value, Categories: compiled}), warnings
}

// mostConditions is how many compiled conditions are kept.
const mostConditions = 5000

// conditions are compiled conditions by their texts, so that each is compiled once and not once a call.
type conditions struct {
	mu       sync.Mutex
	compiled map[string]*query.Program
}

func (c *conditions) compile(text string) (*query.Program, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.compiled[text]; p != nil {
		return p, nil
	}
	condition, err := query.ParseCondition(text, nil)
	if err != nil {
		return nil, err
	}
	if c.compiled == nil || len(c.compiled) >= mostConditions {
		c.compiled = map[string]*query.Program{}
	}
	p := query.Compile(condition)
	c.compiled[text] = p
	return p, nil
}
