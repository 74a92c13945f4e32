package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query/fulltext"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Search is a benchmark of the search, with generated calls in an otherwise empty database.
type Search struct {
	Generated
	Queries int // of each kind
}

// SearchResult is the result of Search.
type SearchResult struct {
	Load, Index   time.Duration // time to store the calls, and to index them after that
	Work          time.Duration // CPU time of Index, which depends little on other programs on the machine
	Database, Own int64         // size on disk in bytes of the database's files (SQLite) and of the segments
	Kinds         []SearchKind
}

// SearchKind is the result for one kind of query.
type SearchKind struct {
	Kind, Example string
	Found         int // hits on the first page of the example
	Median, P95   time.Duration
	Work          time.Duration // mean CPU time per query
}

// page is the limit of a first page: the default plus one, to detect a next page.
const page = 101

// Run stores the calls, writes them into segments, and requests first pages, the newest calls first.
func (b Search) Run(ctx context.Context, progress Progress) (f SearchResult, err error) {
	x, err := b.Index(ctx, corpus.New(corpus.Config{Words: b.Words}), searchable, progress)
	if err != nil {
		return f, err
	}
	defer x.Close()
	f.Load, f.Index, f.Work = x.Load, x.Index, x.Work
	f.Own = b.Size("segment=*")
	f.Database = b.Size("*.db*")
	index := x.Columnar()
	for _, k := range b.kinds(x.Calls) {
		found, err := b.ask(ctx, index, x.Owner, k)
		if err != nil {
			return f, err
		}
		f.Kinds = append(f.Kinds, found)
	}
	return f, nil
}

func searchable(tx *store.Tx, m *media.Media) error {
	if err := tx.SetSearchable(m.ID, true); err != nil {
		return err
	}
	return tx.PutAnalytic(m.Account, m.ID, false)
}

// ProcessorTime returns the CPU time that this process has used so far, on all processors.
func ProcessorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// kind is a kind of query: its name and a function that returns its n-th text.
type kind struct {
	name string
	text func(n int) string
}

func (b Search) kinds(c *corpus.Corpus) []kind {
	rare := func(n int) string { return c.Word(corpus.Vocabulary/4 + n*97%(corpus.Vocabulary/2)) }
	return []kind{
		{"common word", func(n int) string { return c.Word(n % 150) }},
		{"rare word", rare},
		{"common and rare word", func(n int) string { return c.Word(n%150) + " " + rare(n) }},
		{"common phrase", func(n int) string {
			return `"` + []string{"thank you for calling", "may I have your order number", "cancel my account"}[n%3] +
				`"`
		}},
		{"rare phrase", func(n int) string { return `"` + c.Word(300+n) + " " + c.Word(200+7*n%300) + `"` }},
		{"phrase of common words", func(n int) string {
			return fmt.Sprintf(`"%s %s %s"`, c.Word(n%40), c.Word((n*7+3)%40), c.Word((n*13+5)%40))
		}},
		{"beginning of words", func(n int) string { return rare(n)[:4] + "*" }},
		{"title", func(n int) string {
			return []string{`title:"billing dispute"`, "title:warranty", "title:praise order"}[n%3]
		}},
		{"one title", func(n int) string { return fmt.Sprint("title:", 100_000+n*7919%b.Calls) }},
		{"nothing", func(n int) string { return c.Word(n%50) + " notaword" + fmt.Sprint(n) }},
	}
}

func (b Search) ask(ctx context.Context, index *columnar.Index, owner account.ID, k kind) (SearchKind, error) {
	f := SearchKind{Kind: k.name, Example: k.text(0)}
	times := make([]time.Duration, b.Queries)
	before := ProcessorTime()
	for n := range times {
		q, err := fulltext.Parse(k.text(n))
		if err != nil {
			return f, err
		}
		began := time.Now()
		found, err := index.List(ctx, owner, q, store.MediaFilter{Limit: page})
		if err != nil {
			return f, err
		}
		if times[n] = time.Since(began); n == 0 {
			f.Found = len(found)
		}
	}
	f.Work = (ProcessorTime() - before) / time.Duration(b.Queries)
	slices.Sort(times)
	f.Median, f.P95 = times[len(times)/2], times[len(times)*95/100]
	return f, nil
}
