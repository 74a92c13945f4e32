package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"parley/internal/analysis/classify"
	"parley/internal/analysis/talk"
	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/wire"
	"parley/internal/host/memory"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
)

// mostStatement is the size limit of a statement in bytes: a character takes up to four bytes in UTF-8, and up to
// twelve when escaped in a JSON string.
const mostStatement = 12*vbql.MaxLength + 100

// asked is a statement with the period that it is restricted to; the period is nil if none is given.
type asked struct {
	text   string
	period *period
}

// statementShape lists the keys of a statement with a period.
var statementShape = jsondoc.Fields(
	jsondoc.Field{Name: "statement", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	periodFields[0], periodFields[1], periodFields[2],
)

// postStatement runs a statement of the query language.
func (s *Server) postStatement(r *request) (any, error) {
	var page columnar.Page
	for name, into := range map[string]**int{"limit": &page.Limit, "offset": &page.Offset} {
		var err error
		if *into, err = readCount(name, r.query.Get(name)); err != nil {
			return nil, err
		}
	}
	sent, err := s.readStatement(r)
	if err != nil {
		return nil, err
	}
	parsed, known, err := s.draft(r, sent.text, vbql.Read)
	if err != nil {
		return nil, err
	}
	statement, err := work(r.Context(), func() (*vbql.Statement, error) { return parsed.Check(known) })
	if err != nil {
		return nil, queryFault(err)
	}
	if statement.Alter != nil {
		return s.alter(r, statement, sent.period)
	}
	if sent.period != nil {
		statement = &vbql.Statement{Explain: statement.Explain, Select: sent.period.of(statement.Select)}
	}
	asked, err := r.who.figures(statement.Select)
	if err != nil {
		return nil, err
	}
	answer, err := s.Analytics.Ask(r.Context(), r.who.Account.ID, asked, page)
	if err != nil {
		return nil, err
	}
	return work(r.Context(), func() (any, error) { return newAnswer(r.Context(), r.who, statement, answer) })
}

// readCount parses a non-negative number; an empty value yields nil.
func readCount(name, value string) (*int, error) {
	if value == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return nil, parameterFault("%s %q is invalid; use an integer of 0 or more", name, value)
	}
	return &n, nil
}

// readStatement reads the statement as UTF-8 text, whatever its Content-Type. A body that is a JSON string is decoded,
// and so is an object with a statement and a period.
func (s *Server) readStatement(r *request) (asked, error) {
	sent, err := s.readBody(r, mostStatement)
	if err != nil {
		return asked{}, err
	}
	// leading whitespace counts towards the positions in error messages
	sent = bytes.TrimRight(bytes.TrimPrefix(sent, []byte("\ufeff")), " \t\r\n")
	if err := jsondoc.CheckEncoding(sent); err != nil {
		return asked{}, fault.New(fault.Invalid, fault.CodeQuery,
			"the statement: %w; send it in UTF-8, whatever its Content-Type", err)
	}
	text := bytes.TrimSpace(sent)
	var quoted string
	if len(text) > 1 && text[0] == '"' && json.Unmarshal(text, &quoted) == nil {
		// A statement may start with a quoted string, as in "agent" SAYS …, so such a text is not a JSON string. A text
		// that is quoted as a whole is not a statement.
		return asked{text: quoted}, nil
	}
	if len(text) > 0 && text[0] == '{' { // begins no statement
		return readAsked(r.Context(), text)
	}
	return asked{text: string(sent)}, nil
}

// readAsked parses an object with a statement and a period.
func readAsked(ctx context.Context, sent []byte) (a asked, err error) {
	if err := hold(ctx).take(documentMemory(sent)); err != nil {
		return a, err
	}
	const example = `{"statement":"SELECT count(*) FROM media","from":"2026-07-01"}`
	root, err := parseObject(sent, statementShape, fault.CodeParameter, example)
	if err != nil {
		return a, err
	}
	if a.text = root.Get("statement").Text(); a.text == "" {
		return a, fault.New(fault.Invalid, fault.CodeQuery, "/statement is missing; send an object such as %s", example)
	}
	p, err := readPeriod(root)
	a.period = &p
	return a, err
}

// draft reads a text, and the names that it may use.
func (s *Server) draft(
	r *request, text string, read func(string) *vbql.Draft,
) (*vbql.Draft, *vbql.KnownNames, error) {
	parsed, err := rendered(r.Context(), func() *vbql.Draft { return read(text) })
	if err != nil {
		return nil, nil, err
	}
	known, err := s.known(r.Context(), r.who.Account.ID, parsed)
	return parsed, known, err
}

// known returns the names that a statement of an account may use: those that are defined, and those that occur in some
// call. It looks only in the namespaces that the statement refers to.
func (s *Server) known(ctx context.Context, owner account.ID, parsed *vbql.Draft) (*vbql.KnownNames, error) {
	k := &vbql.KnownNames{Metrics: talk.Names()}
	for _, one := range []struct {
		space vbql.Space
		names *[]string
		saved func(tx *store.Tx) ([]string, error)
	}{
		{vbql.Categories, &k.Categories, definedNames(owner, definition.CategoryKind)},
		{vbql.Spotting, &k.Groups, definedNames(owner, definition.KeywordGroup)},
		{vbql.Prediction, &k.Classifiers, s.classifierNames(owner)},
	} {
		if len(parsed.Names(one.space)) == 0 {
			continue
		}
		names, err := s.Analytics.Names(ctx, owner, one.space)
		if err != nil {
			return nil, err
		}
		saved, err := store.Read(ctx, s.Store, one.saved)
		if err != nil {
			return nil, err
		}
		*one.names = append(names, saved...)
	}
	return k, nil
}

// definedNames returns a function that reads the names of an account's definitions of one kind.
func definedNames(owner account.ID, kind definition.Kind) func(tx *store.Tx) ([]string, error) {
	return func(tx *store.Tx) (names []string, err error) { return tx.DefinitionNames(owner, kind) }
}

// classifierNames returns a function that reads the names of the classifiers that an account can use.
func (s *Server) classifierNames(owner account.ID) func(tx *store.Tx) ([]string, error) {
	return func(tx *store.Tx) (names []string, err error) {
		saved, err := tx.Classifiers(owner)
		return append(list.Map(saved, func(c store.StoredClassifier) string { return c.Name }),
			list.Map(s.ownClassifiers(), func(d classify.Description) string { return d.Name })...), err
	}
}

// queryFault reports all problems of a statement.
func queryFault(err error) error { return queryFaultAt("", err) }

// queryFaultAt is queryFault for a part of a request; place begins each message.
func queryFaultAt(place string, err error) error {
	wrong, ok := errors.AsType[*vbql.Error](err)
	if !ok {
		return err
	}
	return fault.All(fault.Invalid, wrong.Problems(place))
}

// alter defines the types of fields, and answers with all fields that have a defined type.
func (s *Server) alter(r *request, statement *vbql.Statement, p *period) (any, error) {
	if p != nil && (!p.From.IsZero() || !p.Until.IsZero()) {
		return nil, parameterFault("ALTER TABLE takes no period; leave out /from and /until")
	}
	began := time.Now()
	types := columnar.Types(statement.Alter.Columns)
	if !statement.Explain {
		visitOf(r.Context()).event.Action = audit.Change
		var err error
		if types, err = s.Analytics.Define(r.Context(), r.who.Account.ID, statement.Alter); err != nil {
			return nil, err
		}
	}
	body := wire.Answer{TotalResults: len(types), Limit: len(types), Hits: [][]wire.Match{}, Rows: []json.RawMessage{}}
	for _, c := range types {
		row, err := wire.Row([]string{"field", "type"}, []any{c.Field.String(), c.Type})
		if err != nil {
			return nil, err
		}
		body.Rows, body.Hits = append(body.Rows, row), append(body.Hits, []wire.Match{})
	}
	body.QueryTimeMillis = wire.WholeMillis(time.Since(began))
	return body, nil
}

// newAnswer renders the result of a statement. Its rows count towards the memory of the request.
func newAnswer(ctx context.Context, who caller, statement *vbql.Statement, a *columnar.Answer) (wire.Answer, error) {
	body := wire.Answer{
		TotalResults: a.Total, TotalIsLowerBound: a.LowerBound, QueryTimeMillis: wire.WholeMillis(a.Took),
		Limit: a.Limit, Offset: a.Offset,
		Hits: make([][]wire.Match, len(a.Rows)), Rows: make([]json.RawMessage, len(a.Rows)),
		Coverage: wire.NewCoverage(a.LeftOut.Total(), a.LeftOut.Warning()),
	}
	for i, cells := range a.Rows {
		for k, c := range cells {
			if hits, ok := c.([]columnar.Hit); ok {
				cells[k] = who.matches(hits)
			}
		}
		body.Hits[i] = []wire.Match{}
		if a.Hits != nil {
			body.Hits[i] = who.matches(a.Hits[i])
		}
		var err error
		if body.Rows[i], err = wire.Row(a.Columns, cells); err != nil {
			return body, err
		}
		if err := memory.Take(ctx, int64(cap(body.Rows[i]))); err != nil {
			return body, err
		}
	}
	if statement.Explain {
		body.Plan = newPlan(statement, a)
		body.Rows, body.Hits = []json.RawMessage{}, [][]wire.Match{}
	}
	return body, nil
}

func newPlan(statement *vbql.Statement, a *columnar.Answer) *wire.QueryPlan {
	p := a.Plan
	steps := []wire.StepRow{{Step: "candidates", What: p.Need, Calls: p.Candidates}}
	if p.Fields != "" {
		steps = append(steps, wire.StepRow{Step: "fields", What: p.Fields, Calls: p.Candidates})
	}
	if p.Words != "" {
		steps = append(steps, wire.StepRow{Step: "checked", What: p.Words, Calls: p.Checked})
	}
	return &wire.QueryPlan{Query: statement.Select.String(), Segments: p.Segments, Calls: p.Calls, Steps: steps,
		Matched: p.Matched, TimeMillis: wire.Millis(a.Took)}
}

// getSchema lists the fields that statements can query.
func (s *Server) getSchema(r *request) (any, error) {
	fields, err := s.Analytics.Fields(r.Context(), r.who.Account.ID)
	if err != nil {
		return nil, err
	}
	return sized(r.Context(), wire.NewSchema(list.Map(fields, func(f columnar.Field) wire.SchemaField {
		if !r.who.reads() && isContent(f.Field) {
			f.Example = nil
		}
		return wire.NewSchemaField(f.Name, f.Type, f.Defined, f.Example)
	})))
}

// queries are the saved statements of accounts.
var queries = collection[definition.Query]{
	kind:  definition.SavedQuery,
	param: "queryName",
	parse: func(name string, sent []byte) (definition.Query, error) {
		return definition.ParseQuery(name, sent, vbql.KnownNames{Metrics: talk.Names()})
	},
	encode: (*codec.Codec).EncodeQuery,
	decode: (*codec.Codec).DecodeQuery,
	one:    func(q definition.Query, d definition.Definition) any { return wire.NewSavedQuery(q, d) },
	list: func(all []record[definition.Query]) any {
		return wire.NewSavedQueries(each(all, wire.NewSavedQuery)...)
	},
}
