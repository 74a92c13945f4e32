package analytics

import (
	"encoding/json"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/query"
	"parley/internal/store"
	"parley/internal/transcript"
)

// Hit is a place where a condition holds.
type Hit struct {
	Condition  string // as it is written
	Start, End time.Duration
	Ratio      float64 // Start as a part of the length, 0..1
	Turn       int     // from 1; 0 for silence and overtalk
	Speaker    string  // empty for silence and overtalk
	Text       string  // the words as they stand in the transcript
}

// rows returns what is asked of some calls. A call that was deleted meanwhile is left out.
func (q *question) rows(found []ref) (*Answer, error) {
	columns := columnsOf(q.sel)
	answer := &Answer{Rows: [][]any{}}
	exprs := make([]query.Expr, len(columns))
	hits, metadata := false, false
	for i, c := range columns {
		answer.Columns = append(answer.Columns, c.name)
		exprs[i] = c.expr
		f, field := c.expr.(query.Field)
		hits = hits || function(c.expr, "hits")
		metadata = metadata || field && len(f.Path) == 0
	}
	items := make([]*store.Analytic, len(found))
	if hits || metadata {
		var err error
		if items, err = q.itemsOf(found); err != nil {
			return nil, err
		}
	}
	said := make([][]Hit, len(found))
	if hits {
		if err := q.hits(items, said); err != nil {
			return nil, err
		}
	}
	cursors := map[*part]*cursor{}
	for i, r := range found {
		if (hits || metadata) && items[i] == nil {
			continue
		}
		c := cursors[r.part]
		if c == nil {
			c = newCursor(r.part, q.types, fieldsOf(exprs...)...)
			cursors[r.part] = c
		}
		c.call = r.call
		answer.Rows = append(answer.Rows, c.row(exprs, items[i], said[i]))
		if hits {
			answer.Hits = append(answer.Hits, said[i])
		}
	}
	return answer, nil
}

// row is what is asked of the call that a cursor looks at.
func (c *cursor) row(exprs []query.Expr, item *store.Analytic, hits []Hit) []any {
	row := make([]any, len(exprs))
	for i, e := range exprs {
		f, field := e.(query.Field)
		switch {
		case function(e, "hits"):
			row[i] = hits
		case field && len(f.Path) == 0:
			row[i] = json.RawMessage("{}")
			if m := item.Media.Metadata; m != nil {
				row[i] = json.RawMessage(m.Bytes())
			}
		default:
			row[i] = c.evaluate(e).Any()
		}
	}
	return row
}

// hits finds where the condition holds, in the words as they are published.
func (q *question) hits(items []*store.Analytic, into [][]Hit) error {
	group, _ := errgroup.WithContext(q.ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, item := range items {
		if item == nil {
			continue
		}
		group.Go(func() (err error) {
			if err = q.stop(); err == nil {
				into[i], err = q.x.Hits(item, q.cond.whole, q.types)
			}
			return err
		})
	}
	return group.Wait()
}

// Hits returns where a condition holds for an item; none where it does not.
func (x *Index) Hits(item *store.Analytic, p *query.Program, types Types) ([]Hit, error) {
	open, err := x.Codec.DecodeResult(item.Result)
	if err != nil {
		return nil, err
	}
	call := query.Of(open.Transcript, types.values(valuesOf(item, open)))
	_, hits := p.Find(call)
	found := make([]Hit, len(hits))
	conditions := p.Conditions()
	for i, h := range hits {
		found[i] = Hit{Condition: conditions[h.Condition], Start: h.Start, End: h.End, Turn: h.Turn + 1, Text: call.Exact(h)}
		if call.Length > 0 {
			found[i].Ratio = float64(h.Start) / float64(call.Length)
		}
		found[i].Speaker = nameOf(open.Transcript, h.Speaker)
	}
	return found, nil
}

func nameOf(t *transcript.Transcript, speaker int) string {
	if speaker < 0 || speaker >= len(t.Speakers) {
		return ""
	}
	return t.Speakers[speaker].Name
}
