package api

import (
	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
	vbql "parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
)

// checkShape lists the valid keys of a check.
var checkShape = jsondoc.Fields(
	jsondoc.Field{Name: "query", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	jsondoc.Field{Name: "condition", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	jsondoc.Field{Name: "category", Shape: jsondoc.Flag()},
)

// checkExample is a valid body of a check.
const checkExample = `{"query":"SELECT count(*) FROM media"} or {"condition":"length > 60000"}`

// checkQuery answers whether a statement or a condition is valid. It reads no calls, only which names are known.
func (s *Server) checkQuery(r *request) (any, error) {
	root, err := s.readObject(r, checkShape, fault.CodeQuery, checkExample)
	if err != nil {
		return nil, err
	}
	query, condition := root.Get("query"), root.Get("condition")
	if (query == nil) == (condition == nil) {
		return nil, fault.New(fault.Invalid, fault.CodeQuery, "the body has /query and /condition, or neither; send one of "+
			"them: %s", checkExample)
	}
	text, check := query.Text(), (*vbql.Draft).Check
	if condition != nil {
		text, check = condition.Text(), (*vbql.Draft).CheckCondition
	}
	draft, known, err := s.draft(r, text, vbql.Read)
	if err != nil {
		return nil, err
	}
	if condition != nil && root.Get("category").Bool() {
		known = &vbql.KnownNames{Metrics: talk.Names(), Definition: true} // as when a category is saved
	}
	return work(r.Context(), func() (any, error) {
		statement, err := check(draft, known)
		if err != nil {
			return wire.NewMistakes(fault.ProblemsOf(queryFault(err))), nil
		}
		printed := statement.String()
		if condition != nil {
			printed = vbql.Print(statement.Select.Where)
		}
		return sized(r.Context(), wire.NewCheck(printed, newOutline(draft.Outline())))
	})
}

func newOutline(o *vbql.Outline) *wire.Outline {
	if o == nil {
		return nil
	}
	return &wire.Outline{ConditionPlace: newConditionPlace(o), MustNot: o.MustNot,
		Parts: list.Map(o.Parts, func(p *vbql.Outline) wire.Outline { return *newOutline(p) })}
}

func newConditionPlace(o *vbql.Outline) wire.ConditionPlace {
	return wire.ConditionPlace{Kind: string(o.Kind), Text: vbql.Print(o.Condition), Line: o.Line, Column: o.Column,
		Length: o.Length}
}
