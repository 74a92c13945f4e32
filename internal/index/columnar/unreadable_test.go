package columnar

import (
	"errors"
	"reflect"
	"sync/atomic"
	"testing"

	"parley/internal/call/fact"
	"parley/internal/index/callindex"
	"parley/internal/index/segment"
	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/storage/store"
)

var errUnreadable = errors.New("unreadable")

// failing is a source whose reads fail after some that do not.
type failing struct {
	segment.Source
	good atomic.Int64
}

func (f *failing) Range(at, n int) ([]byte, error) {
	if f.good.Add(-1) < 0 {
		return nil, errUnreadable
	}
	return f.Source.Range(at, n)
}

// segmentBytes returns a segment of generated calls.
func segmentBytes(t *testing.T) []byte {
	var b segment.Builder
	calls := corpus.New(corpus.Config{Words: 20})
	for i := range 12 {
		c := calls.Call(i)
		err := b.Add(&segment.Draft{ID: c.ID, Indexed: true, Readable: true, Words: tokenfile.Of(c.Transcript, "", ""),
			Values: fact.Values{{Field: mediaField("wordCount"), Value: query.Number(float64(i % 3))},
				{Field: query.Field{Space: query.Metadata, Path: []string{"topic"}}, Value: query.Text(c.Topic)}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAQuestionAboutASegmentThatCannotBeReadIsAnErrorAndNoAnswer(t *testing.T) {
	for _, where := range []string{`* SAYS "the" AND wordCount >= 0`, `wordCount >= 0`} {
		statement, err := query.Parse(`SELECT wordCount, metadata:topic, count(*) FROM media WHERE `+where+`
			GROUP BY wordCount, metadata:topic ORDER BY metadata:topic`, nil)
		if err != nil {
			t.Fatal(err)
		}
		failEverywhere(t, statement.Select)
	}
}

// failEverywhere asks questions about a segment of which the first read fails, then the second, and so on.
func failEverywhere(t *testing.T, sel *query.Select) {
	never := func() error { return nil }
	data := segmentBytes(t)
	for name, ask := range map[string]func(q *question, p *part) (any, error){
		"newest": func(q *question, p *part) (any, error) {
			page, rest, err := q.firstPage(nil, nil, 5, never)
			total := 0
			for _, r := range rest {
				total += len(r.found)
			}
			var ids []string
			for _, r := range page {
				ids = append(ids, string(p.ID(r.call)))
			}
			return []any{ids, total}, errors.Join(err, q.readError())
		},
		"groups": func(q *question, p *part) (any, error) {
			groups, _, err := q.groupsOf(p, q.grouping(), never)
			var of []any
			if err == nil {
				of = append(of, q.groupRows(q.grouping(), groups))
			}
			return of, err
		},
		"trial": func(q *question, p *part) (any, error) {
			y := &trying{question: q, tally: newTally()}
			_, err := y.count(p, never)
			return []any{y.calls, y.matched}, err
		},
		"rows": func(q *question, p *part) (any, error) {
			answer := &Answer{}
			b := rowBuilder{question: q, cursors: map[*part]*cursor{}, exprs: []query.Expr{q.sel.Group[0], q.sel.Group[1]}}
			err := b.fill(answer, []ref{{part: p, call: 3}}, make([]*store.Analytic, 1), make([][]Hit, 1), never)
			return answer.Rows, err
		},
		"fields": func(_ *question, p *part) (any, error) { return fieldsOfParts([]*part{p}, nil, never) },
	} {
		t.Run(name, func(t *testing.T) {
			var want any
			for good, ended := int64(1<<40), false; !ended; {
				source := &failing{Source: segment.Plain(data)}
				source.good.Store(good)
				s, err := segment.Open(source)
				var p *part
				if err == nil {
					p, err = callindex.NewPart(s, callset.New(s.Len()))
				}
				var got any
				if err == nil {
					q := &question{sel: sel, cond: newCondition(sel.Where), parts: []*part{p},
						limit: 100}
					got, err = ask(q, p)
				}
				reads := good - source.good.Load()
				switch {
				case want == nil && err == nil:
					want, good = got, 0
					continue
				case source.good.Load() < 0 && !errors.Is(err, errUnreadable):
					t.Fatalf("after %d reads: %v", good, err)
				case source.good.Load() >= 0:
					ended = true
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Fatalf("%v (%v), want %v", got, err, want)
					}
				}
				if good++; reads > 100_000 {
					t.Fatal("it does not end")
				}
			}
		})
	}
}
