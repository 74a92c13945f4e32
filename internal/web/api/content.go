package api

import (
	"parley/internal/call/delivery"
	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// Only the scope media:read gives access to the contents of recordings, and only the scope definitions to the contents
// of definitions, even where a route requires another scope: other callers may read figures but not the contents behind
// them, and only for conditions that somebody else has chosen. docs/accounts.md has the table.

// contentFields are the fields of a recording whose values its sender wrote. All metadata fields count as well.
var contentFields = map[string]bool{"externalId": true, "title": true, "description": true}

func isContent(f vbql.Field) bool {
	return f.Space == vbql.Metadata || f.Space == vbql.Media && contentFields[f.Path[0]]
}

// reads reports whether a caller may see the contents of recordings.
func (who caller) reads() bool { return who.Scopes.Has(account.MediaRead) }

// defines reports whether a caller may see the contents of definitions.
func (who caller) defines() bool { return who.Scopes.Has(account.Definitions) }

// needsRead is the error for a request that would show contents of recordings.
func needsRead(what string) error {
	return fault.New(fault.Forbidden, fault.CodeNotAuthorized,
		"%s shows contents of recordings; use a token that also has the scope %s", what, account.MediaRead)
}

// judgesContents returns the first part of a condition that examines contents of recordings, either what is said or
// what the sender wrote; nil if no part does. A caller who can choose such conditions and see which calls match could
// reconstruct the contents word by word.
func judgesContents(c vbql.Condition) vbql.Condition {
	var field vbql.Field
	switch c := c.(type) {
	case nil, vbql.Everything, vbql.Interval: // silences count as figures
		return nil
	case vbql.And:
		return firstOf(c)
	case vbql.Or:
		return firstOf(c)
	case vbql.Not:
		return judgesContents(c.X)
	case vbql.Compare:
		field = c.Field
	case vbql.In:
		field = c.Field
	case vbql.Between:
		field = c.Field
	case vbql.Like:
		field = c.Field
	case vbql.Null:
		field = c.Field
	default: // what is said
		return c
	}
	if isContent(field) {
		return c
	}
	return nil
}

func firstOf(parts []vbql.Condition) vbql.Condition {
	for _, p := range parts {
		if found := judgesContents(p); found != nil {
			return found
		}
	}
	return nil
}

// mostShown is how many characters of a condition an error message quotes.
const mostShown = 100

// mayAsk refuses conditions that examine contents to callers who may not see contents.
func (who caller) mayAsk(c vbql.Condition) error {
	part := judgesContents(c)
	if who.reads() || part == nil {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodeNotAuthorized,
		`the condition %s examines contents of recordings; use a token that also has the scope %s, or ask for a saved `+
			`category: categories:"name" = 1`, shortened(part), account.MediaRead)
}

func shortened(c vbql.Condition) string { return fault.Clip(vbql.Print(c), mostShown) }

// maySave refuses definitions that examine contents of recordings to callers who would see the matches as figures but
// may not see the contents.
func (who caller) maySave(what string) error {
	if who.Scopes.ChoosesContents() {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodeNotAuthorized,
		"%s examines contents of recordings, and the scope %s would show which calls match; use a token that also has "+
			"the scope %s, or one without %s", what, account.Analytics, account.MediaRead, account.Analytics)
}

// figures restricts a statement for callers who may not see the contents of recordings: * expands to the fields without
// contents, and conditions, columns, groups and orders on fields with contents are refused.
func (who caller) figures(s *vbql.Select) (*vbql.Select, error) {
	if who.reads() {
		return s, nil
	}
	if err := who.mayAsk(s.Where); err != nil {
		return nil, err
	}
	narrow := *s
	narrow.Items = nil
	for _, item := range s.Items {
		if _, star := item.Expr.(vbql.Star); star {
			for _, e := range columnar.StarColumns {
				if _, content := about(e); !content {
					narrow.Items = append(narrow.Items, vbql.Item{Expr: e})
				}
			}
			continue
		}
		if f, content := about(item.Expr); content {
			return nil, needsRead(f.String())
		}
		narrow.Items = append(narrow.Items, item)
	}
	for _, e := range s.Group {
		if f, content := about(e); content {
			return nil, needsRead("GROUP BY " + f.String())
		}
	}
	for _, o := range s.Order {
		if f, content := about(o.By); content {
			return nil, needsRead("ORDER BY " + f.String())
		}
	}
	return &narrow, nil
}

// about returns the field with contents that an expression uses. Counts are included, since a count over a single call
// shows whether the field is set.
func about(e vbql.Expr) (vbql.Field, bool) {
	switch e := e.(type) {
	case vbql.Field:
		return e, isContent(e)
	case vbql.Function:
		for _, arg := range e.Args {
			if f, content := about(arg); content {
				return f, true
			}
		}
	}
	return vbql.Field{}, false
}

// matches renders hits: their positions and, for callers who may see the contents of recordings, what is said there and
// by whom.
func (who caller) matches(hits []columnar.Hit) []wire.Match {
	list := make([]wire.Match, len(hits))
	for i, h := range hits {
		if !who.reads() {
			h.Text, h.Before, h.After, h.Speaker = "", "", "", ""
		}
		list[i] = wire.NewMatch(h.Condition, h.Start, h.End, h.Ratio, h.Turn, h.Speaker, h.Text)
		list[i].FieldValues.Before, list[i].FieldValues.After = h.Before, h.After
	}
	return list
}

// callback renders a delivery. Callers who may not see the contents of recordings do not get the receiver's answer,
// which may repeat what it received, and get only the host of its address, since the path may contain a secret.
func (who caller) callback(d delivery.Delivery, tries []delivery.Try) wire.Callback {
	shown := wire.NewCallback(d, tries)
	if who.reads() {
		return shown
	}
	shown.Endpoint = d.Origin()
	for i := range shown.Tries {
		shown.Tries[i].Answer, shown.Tries[i].AnswerEncoding = "", ""
	}
	return shown
}
