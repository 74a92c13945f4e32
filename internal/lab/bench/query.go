package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Query is a benchmark of the analytic database, with generated calls in an otherwise empty database.
type Query struct {
	Generated
	Queries int // of each kind
}

// QueryResult is the result of Query.
type QueryResult struct {
	Load, Index time.Duration // time to store the calls, and to write them into segments after that
	Bytes       int64         // of the segments
	Heap        int64         // anonymous memory of the process in bytes, after all queries
	Kinds       []QueryKind
	// Scan is the duration of a trial of a condition that must read the words of every call, ScanWork its CPU time.
	Scan, ScanWork time.Duration
	Checked        int // calls whose words were evaluated

	Cold time.Duration // first answer of a server that has just started
}

// QueryKind is the result for one kind of query.
type QueryKind struct {
	Kind, Example string
	Total         int
	Bound         bool // Total is a lower bound
	Median, P95   time.Duration
	Page          time.Duration // P95 without the total
	Work          time.Duration // mean CPU time per query
}

// Run stores the calls, writes them into segments, and runs the queries.
func (b Query) Run(ctx context.Context, progress Progress) (f QueryResult, err error) {
	stored, err := b.Index(ctx, corpus.New(corpus.Config{Words: b.Words, Every: 30 * time.Second}), Analytic, progress)
	if err != nil {
		return f, err
	}
	defer stored.Close()
	f.Load, f.Index = stored.Load, stored.Index
	x, calls, owner := stored.Columnar(), stored.Calls, stored.Owner
	f.Bytes = b.Size("segment=*")
	for _, k := range b.kinds(calls) {
		progress(k.name, 1, 1)
		found, err := b.ask(ctx, x, owner, k)
		if err != nil {
			return f, err
		}
		f.Kinds = append(f.Kinds, found)
	}
	condition, err := query.ParseCondition(`agent SAYS ! "`+calls.Word(5)+` `+calls.Word(40)+`" AND caller SAYS ! "`+
		calls.Word(8)+` `+calls.Word(3)+`"/2`, nil)
	if err != nil {
		return f, err
	}
	x.Timeout = time.Hour
	before := ProcessorTime()
	trial, err := x.Try(ctx, owner, columnar.Try{Condition: condition})
	if err != nil {
		return f, err
	}
	f.Scan, f.ScanWork, f.Checked = trial.Took, ProcessorTime()-before, trial.Plan.Checked
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	f.Heap = int64(memory.HeapSys - memory.HeapReleased)
	f.Cold, err = b.cold(ctx, stored)
	return f, err
}

// cold returns how long the first answer of a server takes that has just started.
func (b Query) cold(ctx context.Context, x *Indexed) (time.Duration, error) {
	segments, closing, err := b.Segments(ctx, x.DB, x.Codec, x.Blobs, "index-of-a-new-server")
	if err != nil {
		return 0, err
	}
	defer closing()
	s, err := query.Parse(b.kinds(x.Calls)[0].text(0), nil)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	index := columnar.New(columnar.Config{Store: x.DB, Codec: x.Codec, Calls: segments})
	_, err = index.Ask(ctx, x.Owner, s.Select, columnar.Page{})
	return time.Since(began), err
}

// Analytic adds a call to the analytic database; Store takes it as publish.
func Analytic(tx *store.Tx, m *media.Media) error { return tx.PutAnalytic(m.Account, m.ID, true) }

func (b Query) kinds(c *corpus.Corpus) []kind {
	rare := func(n int) string { return c.Word(corpus.Vocabulary/4 + n*97%(corpus.Vocabulary/2)) }
	says := func(words string) string { return `SELECT mediaId FROM media WHERE * SAYS "` + words + `"` }
	return []kind{
		{"rare word", func(n int) string { return says(rare(n)) }},
		{"rare phrase", func(n int) string { return says(c.Word(300+n) + " " + c.Word(200+7*n%300)) }},
		{"agent says, not caller", func(n int) string {
			return `SELECT mediaId FROM media WHERE agent SAYS "` + rare(n) + `" AND NOT caller SAYS "` + c.Word(n%50) +
				`"`
		}},
		{"rare word and metadata", func(n int) string {
			return fmt.Sprintf(`SELECT mediaId FROM media WHERE * SAYS "%s" AND metadata:score > 5`, rare(n))
		}},
		{"common phrase", func(n int) string {
			return says([]string{"thank you for calling", "may I have your order number", "cancel my account"}[n%3])
		}},
		{"metadata and metrics", func(n int) string {
			return fmt.Sprintf(`SELECT mediaId, metadata:team FROM media WHERE metadata:score > %d AND metrics:"overtalk-ratio" < 0.1 ORDER BY sentiment`, n%9)
		}},
		{"GROUP BY metadata, metrics", func(n int) string {
			return `SELECT metadata:team, count(*), avg(sentiment), median(metrics:"silence-ratio"), percentile(length, 90) FROM media GROUP BY metadata:team`
		}},
		{"GROUP BY day", func(n int) string {
			return fmt.Sprintf(`SELECT date_trunc('day', dateCreated) AS day, count(*), avg(sentiment) FROM media WHERE metadata:score > %d GROUP BY day`, n%9)
		}},
	}
}

// ask runs each query twice: with its total, and for its page only.
func (b Query) ask(ctx context.Context, x *columnar.Index, owner account.ID, k kind) (f QueryKind, err error) {
	f.Kind, f.Example = k.name, k.text(0)
	before := ProcessorTime()
	whole, first, err := b.times(ctx, x, owner, k)
	if err != nil {
		return f, err
	}
	f.Work = (ProcessorTime() - before) / time.Duration(b.Queries)
	f.Total, f.Bound = first.Total, first.LowerBound
	f.Median, f.P95 = whole[len(whole)/2], whole[len(whole)*95/100]
	defer func(usual time.Duration) { x.Count = usual }(x.Count)
	x.Count = 1
	page, _, err := b.times(ctx, x, owner, k)
	if err != nil {
		return f, err
	}
	f.Page = page[len(page)*95/100]
	return f, nil
}

// times runs all queries of a kind. It returns their durations, sorted ascending, and the answer to the first.
func (b Query) times(
	ctx context.Context, x *columnar.Index, owner account.ID, k kind,
) (took []time.Duration, first *columnar.Answer, err error) {
	for n := range b.Queries {
		s, err := query.Parse(k.text(n), nil)
		if err != nil {
			return nil, nil, err
		}
		answer, err := x.Ask(ctx, owner, s.Select, columnar.Page{})
		if err != nil {
			return nil, nil, err
		}
		if took = append(took, answer.Took); n == 0 {
			first = answer
		}
	}
	slices.Sort(took)
	return took, first, nil
}
