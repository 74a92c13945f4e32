package columnar

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/call/codec"
	"parley/internal/call/result"
	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Hit is a match of a condition.
type Hit struct {
	Condition  string // as it is written
	Start, End time.Duration
	Ratio      float64 // Start as a fraction of the length, 0..1
	Turn       int     // from 1; 0 for silence and overtalk
	Speaker    string  // empty for silence and overtalk
	Text       string  // the matched words of the transcript
	// Before and After are words of the same turn around the matched ones.
	Before, After string
}

// Limits of the rows of an answer.
const (
	together   = 16       // rows whose recordings are read together
	mostOfHits = 32 << 20 // approximate bytes of the hits and the metadata of an answer
	aroundHit  = 200      // bytes of a hit in addition to its texts
	aroundRow  = 300      // bytes of a row in addition to its hits and metadata
	aroundCell = 64
	aroundWord = 100     // of a call, for what conditions look at or a table shows
	hitsAtOnce = 500     // hits shown before other accounts may have the processor
	large      = 1 << 20 // bytes above which only one record per statement is decoded at a time
)

// rows returns the selected columns of some calls. It skips calls deleted meanwhile.
func (q *question) rows(found []ref) (*Answer, error) {
	columns := columnsOf(q.sel)
	answer := &Answer{Rows: [][]any{}}
	s := rowBuilder{question: q, cursors: map[*part]*cursor{}}
	for _, c := range columns {
		answer.Columns = append(answer.Columns, c.name)
		s.exprs = append(s.exprs, c.expr)
		f, field := c.expr.(query.Field)
		s.hits = s.hits || query.IsHits(c.expr)
		s.metadata = s.metadata || field && len(f.Path) == 0
	}
	for some := range slices.Chunk(found, together) {
		if err := s.add(answer, some); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// rowBuilder adds rows with the selected columns of calls.
type rowBuilder struct {
	*question
	exprs          []query.Expr
	hits, metadata bool // whether they are among them
	cursors        map[*part]*cursor
	size           atomic.Int64 // bytes of hits and metadata
}

// add adds the rows of some calls to an answer.
func (s *rowBuilder) add(answer *Answer, found []ref) (err error) {
	part, end := memory.Part(s.ctx)
	defer end()
	items, said := make([]*store.Analytic, len(found)), make([][]Hit, len(found))
	if s.hits || s.metadata {
		if items, err = s.itemsOf(part, found); err != nil {
			return err
		}
	}
	before := s.size.Load()
	if s.hits {
		if err := s.find(part, items, said, &s.size); err != nil {
			return err
		}
	}
	err = s.work(s.ctx, func(stop stop) error { return s.fill(answer, found, items, said, stop) })
	kept := s.size.Load() - before + int64(len(found)*(aroundRow+aroundCell*len(s.exprs)))
	return cmp.Or(err, tooLarge(&s.size), memory.Take(s.ctx, kept))
}

// fill adds the rows of some calls from their items and hits.
func (s *rowBuilder) fill(answer *Answer, found []ref, items []*store.Analytic, said [][]Hit, stop stop) error {
	for i, r := range found {
		if (s.hits || s.metadata) && items[i] == nil {
			continue
		}
		if err := stop(); err != nil {
			return err
		}
		c := s.cursors[r.part]
		if c == nil {
			c = newCursor(r.part, s.types, fieldsOf(s.exprs...)...)
			s.cursors[r.part] = c
		}
		c.call = r.call
		if s.metadata && items[i].Media.Metadata != nil {
			s.size.Add(int64(len(items[i].Media.Metadata.Bytes())))
		}
		answer.Rows = append(answer.Rows, c.row(s.exprs, items[i], said[i]))
		if err := c.Err(); err != nil {
			return err
		}
		if s.hits {
			answer.Hits = append(answer.Hits, said[i])
		}
	}
	return nil
}

// tooLarge returns an error if the answer would need too much memory.
func tooLarge(size *atomic.Int64) error {
	if size.Load() <= mostOfHits {
		return nil
	}
	return fault.New(fault.Invalid, fault.CodeQueryLimit,
		"the hits and metadata of these rows exceed %d MB; use a smaller LIMIT, search for rarer words, or use "+
			"an export", mostOfHits>>20)
}

// row returns the selected columns for the cursor's current call.
func (c *cursor) row(exprs []query.Expr, item *store.Analytic, hits []Hit) []any {
	row := make([]any, len(exprs))
	for i, e := range exprs {
		f, field := e.(query.Field)
		switch {
		case query.IsHits(e):
			row[i] = hits
		case field && len(f.Path) == 0:
			row[i] = json.RawMessage("{}")
			if m := item.Media.Metadata; m != nil {
				row[i] = json.RawMessage(m.Bytes())
			}
		default:
			row[i] = query.Evaluate(e, c.subject.Value).Any()
		}
	}
	return row
}

// find finds the matches of the condition in the published words, and adds up their size.
func (q *question) find(ctx context.Context, items []*store.Analytic, into [][]Hit, size *atomic.Int64) error {
	return q.findAll(ctx, q.cond.whole, items, into, size)
}

// findAll is find for any condition.
func (q *question) findAll(ctx context.Context, p *query.Program, items []*store.Analytic, into [][]Hit,
	size *atomic.Int64) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, item := range items {
		if item == nil {
			continue
		}
		group.Go(func() error {
			if codec.Size(item.Result) > large {
				q.large.Lock()
				defer q.large.Unlock()
			}
			return q.work(ctx, func(stop stop) (err error) {
				if err := tooLarge(size); err != nil {
					return err
				}
				into[i], err = q.x.hits(ctx, item, p, q.types, stop)
				for _, h := range into[i] {
					size.Add(int64(len(h.Condition) + len(h.Text) + len(h.Before) + len(h.After) + aroundHit))
				}
				return err
			})
		})
	}
	return cmp.Or(group.Wait(), tooLarge(size))
}

// hits returns the matches of a condition in an item; none if it does not match.
func (x *Index) hits(ctx context.Context, item *store.Analytic, p *query.Program, types Types,
	stop stop) ([]Hit, error) {
	part, end := memory.Part(ctx) // until the hits are found: their texts are copies
	defer end()
	open, err := decode(part, x, item, stop)
	if err == nil {
		err = cmp.Or(memory.Take(part, aroundWord*int64(len(open.Transcript.Words))), stop())
	}
	if err != nil {
		return nil, err
	}
	call := query.Of(open.Transcript, types.values(valuesOf(item, open)))
	call.Add(phrase.Title, item.Media.Metadata.Title())
	call.Add(phrase.Description, item.Media.Metadata.Description())
	call.Stopped = func() bool {
		err = stop()
		return err != nil
	}
	_, hits := p.Find(call)
	if err != nil {
		return nil, err
	}
	found := make([]Hit, len(hits))
	conditions, shower := p.Conditions(), shower{call, open.Transcript}
	for i, h := range hits {
		if i%hitsAtOnce == 0 {
			if err := stop(); err != nil {
				return nil, err
			}
		}
		found[i] = shower.hit(conditions[h.Condition], h)
	}
	return found, nil
}

// decode decodes an item's result, which counts as memory of the work under ctx.
func decode(ctx context.Context, x *Index, item *store.Analytic, stop stop) (*result.Open, error) {
	count := memory.Counter(ctx)
	return x.Codec.DecodeResultWithin(item.Result, func(bytes int64) error { return cmp.Or(count(bytes), stop()) })
}

func nameOf(t *transcript.Transcript, speaker int) string {
	if speaker < 0 || speaker >= len(t.Speakers) {
		return ""
	}
	return t.Speakers[speaker].Name
}
