package columnar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"parley/internal/call/definition"
	"parley/internal/index/segment"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Limits of an answer.
const (
	DefaultLimit      = 10
	DefaultGroupLimit = 1000
	MaxLimit          = 1000
	MaxOffset         = 100_000
	mostGroups        = 100_000
	mostNumbers       = 20_000_000 // values kept for medians and percentiles
)

// Page selects a part of the answer if the statement does not; nil means the default.
type Page struct{ Limit, Offset *int }

// Answer is the result of a statement.
type Answer struct {
	Columns    []string
	Rows       [][]any // per column: nil, float64, string, bool, time.Time, json.RawMessage (metadata) or []Hit
	Hits       [][]Hit // per row; nil if hits() is not selected
	Total      int
	LowerBound bool // Total is a lower bound
	Limit      int
	Offset     int
	Took       time.Duration
	Plan       *Plan
	LeftOut    LeftOut
}

// Plan describes how an answer was found.
type Plan struct {
	Segments   int
	Calls      int // calls in the index
	Candidates int // calls left after the word lookup
	Checked    int // calls whose words were evaluated
	Matched    int
	Need       string // words looked up, empty for none
	Fields     string // the conditions evaluated on columns, empty for none
	Words      string // the condition evaluated word by word, empty for none
}

// question is a statement in progress.
type question struct {
	x             *Index
	ctx           context.Context
	owner         account.ID
	parts         []*part
	types         Types
	cond          *condition
	sel           *query.Select
	plan          Plan
	limit, offset int
	large         sync.Mutex // held while a large record is being decoded
}

// Ask answers a SELECT over an account's calls that were posted for the analytic database. It returns an error when ctx
// ends or the statement exceeds the time limit.
func (x *Index) Ask(ctx context.Context, a account.ID, sel *query.Select, page Page) (*Answer, error) {
	began := time.Now()
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	q := &question{x: x, ctx: ctx, owner: a, sel: sel}
	if err := q.page(page); err != nil {
		return nil, err
	}
	if err := q.prepare(sel.Where); err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	defer runtime.KeepAlive(q.parts) // keeps their mapped memory alive as well
	answer, err := q.answer()
	if err == nil {
		answer.LeftOut, err = q.leftOut()
	}
	err = cmp.Or(err, q.readError())
	if err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	q.describe()
	answer.Limit, answer.Offset, answer.Plan, answer.Took = q.limit, q.offset, &q.plan, time.Since(began)
	return answer, nil
}

// readError returns the first error of reading the segments. An answer that was made after it may be wrong.
func (q *question) readError() error {
	for _, p := range q.parts {
		if err := p.Err(); err != nil {
			return err
		}
	}
	return nil
}

// prepare compiles the condition of a question, and reads the account's types and segments.
func (q *question) prepare(c query.Condition) error {
	err := q.work(q.ctx, func(stop) error {
		q.cond = newCondition(c)
		return nil
	})
	if err != nil {
		return err
	}
	if q.types, err = q.x.Types(q.ctx, q.owner); err != nil {
		return err
	}
	q.parts, err = q.x.Calls.Snapshot(q.ctx, q.owner)
	return err
}

// enter waits until the account may ask a question, and sets its time limit.
func (x *Index) enter(ctx context.Context, a account.ID) (context.Context, func(), error) {
	leave, err := enter(ctx, x.questions, a, "queries")
	if err != nil {
		return ctx, nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, x.Timeout, errTooLong)
	return limited, func() { cancel(); leave() }, nil
}

var errTooLong = errors.New("analytics: the statement timed out")

// fasterStatement is what to do about a statement that takes too long.
const fasterStatement = "search for rarer words, restrict dateCreated, or leave out slow conditions, which EXPLAIN shows"

// ended converts a time-out, or a corrupt segment, to an error for users, with the remedy for the first.
func (x *Index) ended(ctx context.Context, err error, remedy string) error {
	if err == nil {
		return nil
	}
	if context.Cause(ctx) == errTooLong {
		return fault.New(fault.Invalid, fault.CodeQueryLimit, "the query took longer than %s and was stopped; %s", x.Timeout,
			remedy)
	}
	if errors.Is(err, segment.ErrDamaged) { // the next question takes the segment from the storage again
		return fault.New(fault.Unavailable, fault.CodeAnalyticIndex,
			"a copy of a part of the index of calls is corrupt; try again: %w", err)
	}
	return err
}

// page determines the requested part of the answer.
func (q *question) page(p Page) error {
	q.limit = DefaultLimit
	if len(q.sel.Group) > 0 {
		q.limit = DefaultGroupLimit
	}
	if from := cmp.Or(q.sel.Limit, p.Limit); from != nil {
		q.limit = *from
	}
	if from := cmp.Or(q.sel.Offset, p.Offset); from != nil {
		q.offset = *from
	}
	if q.limit > MaxLimit {
		return fault.New(fault.Invalid, fault.CodeQueryLimit,
			"the limit %d is too large; an answer has at most %d rows; use OFFSET for further rows, or an "+
				"export for all rows", q.limit, MaxLimit)
	}
	if q.offset > MaxOffset {
		return fault.New(fault.Invalid, fault.CodeQueryLimit,
			"the offset %d is too large; at most %d rows can be skipped; restrict dateCreated, or use an export",
			q.offset, MaxOffset)
	}
	return nil
}

func (q *question) answer() (*Answer, error) {
	if len(q.sel.Group) > 0 || q.sel.Aggregates() {
		return q.grouped()
	}
	found, total, bound, err := q.pick()
	if err != nil {
		return nil, err
	}
	answer, err := q.rows(found)
	if err == nil {
		answer.Total, answer.LowerBound = total, bound
	}
	return answer, err
}

// describe fills in the plan.
func (q *question) describe() {
	q.plan.Segments = len(q.parts)
	for _, p := range q.parts {
		q.plan.Calls += p.Visible.Len()
	}
	q.plan.Need = query.PrintNeed(q.cond.need)
	if q.cond.fields != nil {
		q.plan.Fields = q.cond.fields.String()
	}
	if q.cond.words != nil {
		q.plan.Words = q.cond.words.String()
	}
}

// note adds the counts of a judge.
func (p *Plan) note(j *judge) {
	p.Candidates += j.candidates
	p.Checked += j.checked
}

func (p *Plan) add(o Plan) {
	p.Candidates += o.Candidates
	p.Checked += o.Checked
	p.Matched += o.Matched
}

// typesName is the name under which defined types are saved.
const typesName = "media"

// Types returns the types of fields that an account has defined.
func (x *Index) Types(ctx context.Context, a account.ID) (Types, error) {
	return store.Read(ctx, x.Store, func(tx *store.Tx) (Types, error) {
		types, _, err := loadTypes(tx, a)
		return types, err
	})
}

// loadTypes reads the defined types with their version.
func loadTypes(tx *store.Tx, a account.ID) (Types, int64, error) {
	saved, err := tx.Definition(a, definition.FieldTypes, typesName)
	if fault.Is(err, fault.NotFound) {
		return nil, definition.Absent, nil
	}
	if err != nil {
		return nil, 0, err
	}
	alter, err := query.ParseAlter(string(saved.Content))
	if err != nil {
		return nil, 0, fmt.Errorf("analytics: defined types: %w", err)
	}
	return Types(alter.Columns), saved.Version, nil
}

// Limits of an account's defined types: every statement reads them.
const (
	mostTypes     = 1000    // fields
	mostTypesText = 200_000 // bytes of their names and types
)

// Define stores the types of fields. It returns all defined types.
func (x *Index) Define(ctx context.Context, a account.ID, alter *query.Alter) (types Types, err error) {
	err = x.Store.Update(ctx, func(tx *store.Tx) error {
		present, version, err := loadTypes(tx, a)
		if err != nil {
			return err
		}
		types = present.Define(alter.Columns)
		if len(types) > mostTypes {
			return fault.New(fault.TooLarge, fault.CodeQueryLimit, "%d fields would be defined; the limit is %d",
				len(types), mostTypes)
		}
		content := []byte((&query.Alter{Columns: types}).String())
		if len(content) > mostTypesText {
			return fault.New(fault.TooLarge, fault.CodeQueryLimit,
				"the names of the defined fields would exceed %d bytes; shorten them", mostTypesText)
		}
		_, err = tx.PutDefinition(a, definition.Definition{Kind: definition.FieldTypes, Name: typesName, Sent: content,
			Content: content}, version)
		return err
	})
	return types, err
}

// itemsOf reads items by id, in the given order; deleted ones are nil. They count as memory of the work under ctx.
func (q *question) itemsOf(ctx context.Context, found []ref) ([]*store.Analytic, error) {
	ids := make([]media.ID, len(found))
	at := map[media.ID]int{}
	for i, r := range found {
		ids[i] = r.part.ID(r.call)
		if err := r.part.Err(); err != nil {
			return nil, err
		}
		at[ids[i]] = i
	}
	all := make([]*store.Analytic, len(found))
	for some := range slices.Chunk(ids, 100) {
		items, err := store.Read(ctx, q.x.Store, func(tx *store.Tx) ([]store.Analytic, error) {
			return tx.AnalyticOf(q.owner, some)
		})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			all[at[item.Media.ID]] = &item
		}
	}
	return all, nil
}
