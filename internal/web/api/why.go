package api

import (
	"parley/internal/analysis/talk"
	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
)

// whyShape lists the valid keys of a question why.
var whyShape = jsondoc.Fields(
	jsondoc.Field{Name: "query", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	jsondoc.Field{Name: "categoryName", Shape: jsondoc.Text()},
)

// whyExample is a valid body of a question why.
const whyExample = `{"query":"\"agent\" SAYS \"hello\""} or {"categoryName":"greeting"}`

// postWhy answers why a call meets a condition, or not.
func (s *Server) postWhy(r *request) (any, error) {
	category, text, outline, err := s.readWhy(r)
	if err != nil {
		return nil, err
	}
	if err := r.who.mayAsk(outline.Condition); err != nil {
		return nil, err
	}
	v, err := s.load(r, false)
	if err != nil {
		return nil, err
	}
	if v.Media.Sealed {
		return nil, fault.New(fault.NotFound, fault.CodeSealed,
			"the contents of media %s are encrypted for its owner; use GET /v3/media/%s/encrypted", r.media, r.media)
	}
	why, err := s.Analytics.Why(r.Context(), r.who.Account.ID, r.media, outline)
	if fault.Is(err, fault.NotFound) {
		return nil, noTranscript(&v.Media)
	}
	if err != nil {
		return nil, err
	}
	return work(r.Context(), func() (any, error) {
		return sized(r.Context(), wire.NewWhy(r.media, category, text, r.who.whyPart(why.Part), why.Incomplete, why.Took))
	})
}

// readWhy parses a body, and the condition that it has or names.
func (s *Server) readWhy(r *request) (category, text string, outline *vbql.Outline, err error) {
	root, err := s.readObject(r, whyShape, fault.CodeQuery, whyExample)
	if err != nil {
		return "", "", nil, err
	}
	query, name := root.Get("query"), root.Get("categoryName")
	if query.Absent() == name.Absent() {
		return "", "", nil, fault.New(fault.Invalid, fault.CodeQuery,
			"the body has /query and /categoryName, or neither; send one of them: %s", whyExample)
	}
	draft, known := (*vbql.Draft)(nil), (*vbql.KnownNames)(nil)
	text = query.Text()
	if name.Absent() {
		draft, known, err = s.draft(r, text, vbql.Read)
	} else if category, text, err = s.categoryText(r, name.Text()); err == nil {
		known = &vbql.KnownNames{Metrics: talk.Names(), Definition: true}
		draft, err = rendered(r.Context(), func() *vbql.Draft { return vbql.Read(text) })
	}
	if err != nil {
		return "", "", nil, err
	}
	outline, err = work(r.Context(), func() (*vbql.Outline, error) {
		if _, err := draft.CheckCondition(known); err != nil {
			return nil, queryFault(err)
		}
		return draft.Outline(), nil
	})
	return category, text, outline, err
}

// categoryText returns the name and the text of a saved category to callers who may see definitions.
func (s *Server) categoryText(r *request, name string) (string, string, error) {
	if !r.who.defines() {
		return "", "", fault.New(fault.Forbidden, fault.CodeNotAuthorized,
			"/categoryName: the answer shows the definition of the category; use a token that also has the scope %s",
			account.Definitions)
	}
	c, err := s.category(r, name)
	return c.Name, c.Query, err
}

// whyPart renders a part: for callers who may not see the contents of recordings, without texts and speakers.
func (who caller) whyPart(p *columnar.WhyPart) wire.WhyPart {
	part := wire.WhyPart{ConditionPlace: newConditionPlace(p.Outline), Holds: p.Holds, MustNot: p.MustNot,
		Decisive: p.Decisive, HitCount: p.Count, Hits: list.Map(p.Hits, who.place), Parts: list.Map(p.Parts, who.whyPart)}
	for i, m := range p.Reason.Misses {
		if m.Field != nil && isContent(*m.Field) && !who.reads() {
			continue
		}
		shown := wire.Miss{Kind: string(m.Kind), Message: m.Message, Places: list.Map(p.Misses[i], who.place), Speakers: m.Speakers,
			Slop: m.Slop, Said: m.Said, Missing: m.Missing, Word: m.Word, Nearest: m.Nearest}
		if m.Condition != nil {
			shown.Condition = vbql.Print(m.Condition)
		}
		if m.Field != nil {
			shown = shown.WithValue(m.Field.String(), m.Value.Any())
		}
		part.Misses = append(part.Misses, shown.WithDuration(m.Duration))
	}
	return part
}

func (who caller) place(p columnar.Hit) wire.MatchPlace {
	if !who.reads() {
		p.Text, p.Speaker, p.Before, p.After = "", "", "", ""
	}
	return wire.NewPlace(p.Start, p.End, p.Ratio, p.Turn, p.Speaker, p.Text, p.Before, p.After)
}
