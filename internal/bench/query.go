package bench

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"time"

	"parley/internal/account"
	"parley/internal/analysis/talk"
	"parley/internal/analytics"
	"parley/internal/analytics/segment"
	"parley/internal/corpus"
	"parley/internal/fact"
	"parley/internal/media"
	"parley/internal/query"
	"parley/internal/result"
	"parley/internal/search/tokenfile"
)

// Query says how to measure the analytic database: over generated calls, which are made as they are loaded.
type Query struct {
	Dir     string // for the segments, empty
	Calls   int
	Words   int // a call
	Queries int // of each kind
}

// QueryResult is what came of it.
type QueryResult struct {
	Load  time.Duration // until all calls were made and in the index
	Bytes int64         // of the segments
	Heap  int64         // bytes of the process's memory that are not of files, behind all questions
	Kinds []QueryKind
	// Scan is trying a condition that has to look at the words of every call; ScanWork the processor time of it.
	Scan, ScanWork time.Duration
	Checked        int // calls whose words were judged
}

// QueryKind is what came of one kind of question.
type QueryKind struct {
	Kind, Example string
	Total         int
	Bound         bool // Total is a lower bound
	Median, P95   time.Duration
	Page          time.Duration // P95 without the total
	Work          time.Duration // processor time of one, on average
}

const benchAccount account.ID = "bench"

// Run loads the calls and asks.
func (b Query) Run(ctx context.Context, progress func(what string, done, total int64)) (f QueryResult, err error) {
	x, err := analytics.Open(analytics.Config{Dir: b.Dir, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return f, err
	}
	defer x.Close()
	calls := corpus.New(corpus.Config{Words: b.Words, Every: 30 * time.Second})
	began := time.Now()
	if err := x.Load(benchAccount, b.drafts(ctx, calls, progress)); err != nil {
		return f, err
	}
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	f.Load = time.Since(began)
	f.Bytes, _ = Search{Dir: b.Dir}.sizes()
	for _, k := range b.kinds(calls) {
		progress(k.name, 1, 1)
		found, err := b.ask(ctx, x, k)
		if err != nil {
			return f, err
		}
		f.Kinds = append(f.Kinds, found)
	}
	condition, err := query.ParseCondition(`NOT (agent SAYS "`+calls.Word(5)+` `+calls.Word(40)+`") OR caller SAYS ("`+calls.Word(8)+` `+calls.Word(3)+`"/2 || "`+calls.Word(300)+`")`, nil)
	if err != nil {
		return f, err
	}
	x.Timeout = time.Hour
	before := processorTime()
	trial, err := x.Try(ctx, benchAccount, analytics.Try{Condition: condition})
	if err != nil {
		return f, err
	}
	f.Scan, f.ScanWork, f.Checked = trial.Took, processorTime()-before, trial.Plan.Checked
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	f.Heap = int64(memory.HeapSys - memory.HeapReleased)
	return f, nil
}

// drafts makes the calls on all processors, in their order.
func (b Query) drafts(ctx context.Context, calls *corpus.Corpus, progress func(string, int64, int64)) iter.Seq[*segment.Draft] {
	const batch = 256
	return func(yield func(*segment.Draft) bool) {
		for first := 0; first < b.Calls && ctx.Err() == nil; first += batch {
			made := make([]*segment.Draft, min(batch, b.Calls-first))
			parallel(len(made), func(i int) { made[i] = draft(calls.Call(first+i), first+i) })
			for _, d := range made {
				if !yield(d) {
					return
				}
			}
			progress("loading calls", int64(first+len(made)), int64(b.Calls))
		}
	}
}

func parallel(n int, f func(i int)) {
	workers := runtime.GOMAXPROCS(0)
	done := make(chan struct{}, workers)
	for w := range workers {
		go func() {
			for i := w; i < n; i += workers {
				f(i)
			}
			done <- struct{}{}
		}()
	}
	for range workers {
		<-done
	}
}

// draft is a generated call with metrics.
func draft(c corpus.Call, n int) *segment.Draft {
	metadata, err := media.ParseMetadata(c.Metadata)
	if err != nil {
		panic(err) // the generator's own
	}
	mood := math.Round(100*math.Sin(float64(n))) / 100
	found := result.Findings{Metrics: []talk.Group{{Metrics: []talk.Metric{
		{Name: "call-sentiment", Value: mood}, {Name: "overtalk-ratio", Value: mood * mood / 4}, {Name: "silence-ratio", Value: (1 - mood) / 4},
	}}}}
	item := media.Media{ID: c.ID, Created: c.ID.Created(), Metadata: metadata}
	return &segment.Draft{
		ID: c.ID, Change: int64(n), Indexed: true, Words: tokenfile.Of(c.Transcript, "", ""),
		Values: fact.Of(&fact.Call{Media: &item, Transcript: c.Transcript, Findings: found}),
	}
}

func (b Query) kinds(c *corpus.Corpus) []kind {
	rare := func(n int) string { return c.Word(corpus.Vocabulary/4 + n*97%(corpus.Vocabulary/2)) }
	says := func(words string) string { return `SELECT mediaId FROM media WHERE * SAYS "` + words + `"` }
	return []kind{
		{"rare word", func(n int) string { return says(rare(n)) }},
		{"rare phrase", func(n int) string { return says(c.Word(300+n) + " " + c.Word(200+7*n%300)) }},
		{"agent says, not caller", func(n int) string {
			return `SELECT mediaId FROM media WHERE agent SAYS "` + rare(n) + `" AND NOT caller SAYS "` + c.Word(n%50) + `"`
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

// ask asks each question twice: for its page and its total, and for its page alone.
func (b Query) ask(ctx context.Context, x *analytics.Index, k kind) (QueryKind, error) {
	f := QueryKind{Kind: k.name, Example: k.text(0)}
	whole, page := make([]time.Duration, b.Queries), make([]time.Duration, b.Queries)
	usual := x.Count
	before := processorTime()
	for n := range whole {
		s, err := query.Parse(k.text(n), nil)
		if err != nil {
			return f, err
		}
		answer, err := x.Ask(ctx, benchAccount, s.Select, analytics.Page{})
		if err != nil {
			return f, err
		}
		if whole[n] = answer.Took; n == 0 {
			f.Total, f.Bound = answer.Total, answer.LowerBound
		}
	}
	f.Work = (processorTime() - before) / time.Duration(b.Queries)
	x.Count = 1
	for n := range page {
		s, err := query.Parse(k.text(n), nil)
		if err != nil {
			return f, err
		}
		answer, err := x.Ask(ctx, benchAccount, s.Select, analytics.Page{})
		if err != nil {
			return f, err
		}
		page[n] = answer.Took
	}
	x.Count = usual
	slices.Sort(whole)
	slices.Sort(page)
	f.Median, f.P95, f.Page = whole[len(whole)/2], whole[len(whole)*95/100], page[len(page)*95/100]
	return f, nil
}
