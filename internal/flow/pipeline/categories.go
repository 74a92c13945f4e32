package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/call/fact"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/host/fair"
	"parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Categorize evaluates the categories of a plan on a call, given all other findings; nil if the plan has none. It
// leaves out, with a warning, conditions that this version cannot parse or that are too much work. The error is the
// cause of the end of ctx.
func (a *Analyst) Categorize(
	ctx context.Context, m *media.Media, t *transcript.Transcript, found result.Findings, p *plan.Plan,
) ([]category.Result, []fault.Problem, error) {
	if p.Categories == nil {
		return nil, nil, nil
	}
	var warnings []fault.Problem
	var compiled []category.Category
	for _, c := range p.Categories {
		program, err := a.compile(c.Query)
		if err != nil {
			warnings = append(warnings, fault.Problem{Code: fault.CodeIgnored,
				Message: "category " + c.Name + " was left out: this version cannot parse its condition; save it again"})
			continue
		}
		compiled = append(compiled, category.Category{Name: c.Name, Program: program})
	}
	values := fact.Of(&fact.Call{Media: m, Transcript: t, Findings: found, Finished: time.Now().UTC()})
	judged, undecided, err := judgeFairly(ctx,
		&category.Request{Transcript: t, Value: values.Value, Categories: compiled})
	if err != nil {
		return nil, nil, err
	}
	if len(undecided) > 0 {
		warnings = append(warnings, leftOut("evaluating all categories of this recording", undecided,
			"simplify their conditions"))
	}
	return judged, warnings, nil
}

// judgeFairly evaluates categories in processor time of the account of ctx. The error is the cause of the end of ctx.
func judgeFairly(ctx context.Context, r *category.Request) (found []category.Result, undecided []string, err error) {
	err = fair.Work(ctx, func(yield func() error) (err error) {
		r.Stopped = func() bool {
			err = yield()
			return err != nil
		}
		found, undecided = category.Judge(r)
		return err
	})
	return found, undecided, err
}

// mostNamed is how many definitions a warning lists.
const mostNamed = 100

// leftOut is the warning that some definitions were left out because evaluating all of them is too much work.
func leftOut(what string, names []string, remedy string) fault.Problem {
	named := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if further := len(names) - mostNamed; further > 0 {
		named += fmt.Sprintf(" and %d more", further)
	}
	return fault.Problem{Code: fault.CodeIgnored,
		Message: what + " exceeds the work limit; left out: " + named + "; " + remedy + ", or ask for fewer"}
}

// mostConditions is how many compiled conditions are cached, so that each is compiled once instead of once per call.
const mostConditions = 5000

// compile returns the compiled program of a condition, given its text.
func (a *Analyst) compile(text string) (*query.Program, error) {
	return a.conditions.find(text, 1, func() (*query.Program, error) {
		condition, err := query.ParseCondition(text, nil)
		if err != nil {
			return nil, err
		}
		return query.Compile(condition), nil
	})
}
