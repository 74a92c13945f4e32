package columnar

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"parley/internal/call/fact"
	"parley/internal/host/memory"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Row is a call as lists show it.
type Row struct {
	Media      media.ID
	Created    time.Time
	Title      string
	ExternalID string
	Language   string
	Length     time.Duration
	Figures    []Figure // those of RowMetrics that the call has
	Categories []string // names of those that it falls into, sorted
	Speakers   []transcript.Speaker
	Hits       int  // number of places where the condition holds
	Hit        *Hit // the first of them; nil for none
}

// Figure is the value of a metric.
type Figure struct {
	Metric string
	Value  float64
}

// RowMetrics are the metrics that rows show.
var RowMetrics = []string{"call-sentiment", "agent-talk-ratio", "caller-talk-ratio", "silence-ratio", "overtalk-ratio"}

// rows returns calls as lists show them. It skips calls deleted meanwhile, if they are read for their hits.
func (e *explorer) rows(found []ref) ([]Row, error) {
	rows, size := []Row{}, new(atomic.Int64)
	for some := range slices.Chunk(found, together) {
		more, err := e.someRows(some, size)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

func (e *explorer) someRows(found []ref, size *atomic.Int64) (rows []Row, err error) {
	part, end := memory.Part(e.ctx)
	defer end()
	items, hits := make([]*store.Analytic, len(found)), make([][]Hit, len(found))
	searched := len(e.cond.whole.Conditions()) > 0
	if searched {
		if items, err = e.itemsOf(part, found); err != nil {
			return nil, err
		}
		if err := e.find(part, items, hits, size); err != nil {
			return nil, err
		}
	}
	if err := e.load(found); err != nil {
		return nil, err
	}
	var file tokenfile.File
	err = e.work(e.ctx, func(stop stop) error {
		for i, r := range found {
			if searched && items[i] == nil {
				continue
			}
			row, err := rowOf(r, &file)
			if err := cmp.Or(err, r.part.Err(), stop()); err != nil {
				return err
			}
			if row.Hits = len(hits[i]); row.Hits > 0 {
				first := hits[i][0]
				row.Hit = &first
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, cmp.Or(err, memory.Take(e.ctx, memory.Size(rows)))
}

// load opens the words of the parts of some calls.
func (q *question) load(found []ref) error {
	var parts []*part
	for _, r := range found {
		if !slices.Contains(parts, r.part) {
			parts = append(parts, r.part)
		}
	}
	return q.x.Calls.Load(q.ctx, q.owner, parts...)
}

// rowOf reads a call from its part.
func rowOf(r ref, file *tokenfile.File) (row Row, err error) {
	p, call := r.part, r.call
	row = Row{Media: p.ID(call), Created: p.Created(call)}
	value := func(f query.Field) query.Value {
		for _, column := range fact.Resolve(p.Columns(), p.Field, f) {
			if v := p.Value(column, call); !v.Missing() {
				return v
			}
		}
		return query.Value{}
	}
	for name, into := range map[string]*string{"title": &row.Title, "externalId": &row.ExternalID,
		"language": &row.Language} {
		*into, _ = value(mediaField(name)).Any().(string)
	}
	length, _ := value(mediaField("length")).Number()
	row.Length = time.Duration(length) * time.Millisecond
	for _, name := range RowMetrics {
		if n, ok := value(query.Field{Space: query.Metrics, Path: []string{name}}).Number(); ok {
			row.Figures = append(row.Figures, Figure{name, n})
		}
	}
	for column := range p.Columns() {
		if f := p.Field(column); f.Space == query.Categories {
			if n, _ := p.Value(column, call).Number(); n == 1 {
				row.Categories = append(row.Categories, f.Path[0])
			}
		}
	}
	slices.Sort(row.Categories)
	err = file.Open(p.Tokens(call))
	row.Speakers = slices.Clone(file.Speakers)
	return row, err
}
