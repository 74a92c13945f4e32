package bench

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
)

// BenchmarkQuestionsWhileACategoryIsApplied asks questions of an account while a category is applied to all of its
// calls. It reports the times of the answers and the speed of the application. Each answer has values of all calls.
func BenchmarkQuestionsWhileACategoryIsApplied(b *testing.B) {
	const calls = 10_000
	g := Generated{Dir: b.TempDir(), Calls: calls, Words: 1500}
	g.URL = "sqlite://" + filepath.Join(g.Dir, "parley.db")
	x, err := g.Index(b.Context(), corpus.New(corpus.Config{Words: g.Words}), Analytic, func(string, int64, int64) {})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	x.Segments.Purge = func(*store.Tx, []string, time.Time) error { return nil }
	answers := columnar.New(columnar.Config{Store: x.DB, Codec: x.Codec, Calls: x.Segments})
	asked, err := query.Parse(`SELECT metadata:team, count(*) FROM media WHERE * SAYS "the" GROUP BY metadata:team`, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := &pipeline.Pipeline{Store: x.DB, Codec: x.Codec, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { x.Segments.Schedule(ctx) })
	runner := job.NewRunner(x.DB.Queue(), job.Config{Worker: "w", Workers: 2, Log: p.Log,
		Handlers: map[string]job.Handler{pipeline.KindApply: p.Apply, callindex.Kind: x.Segments.Handle}})
	running.Go(func() { runner.Run(ctx) })

	every := time.NewTicker(100 * time.Millisecond) // each answer needs what has changed since the last one
	defer every.Stop()
	var took []time.Duration
	var applying time.Duration
	for b.Loop() {
		name := []string{`* SAYS "the"`, `* SAYS "thank you"`}[len(took)%2]
		if _, err := pipeline.BeginApply(ctx, x.DB, x.Owner, "c", name); err != nil {
			b.Fatal(err)
		}
		for began, done := time.Now(), false; !done; {
			<-every.C
			asking := time.Now()
			if _, err := answers.Ask(ctx, x.Owner, asked.Select, columnar.Page{}); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(asking))
			last, err := store.Read(ctx, x.DB, func(tx *store.Tx) (store.Apply, error) { return tx.LastApply(x.Owner, "c") })
			if err != nil {
				b.Fatal(err)
			}
			if done = last.Status != store.ApplyRunning; done {
				applying += time.Since(began)
			}
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/answer")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms/answer-95%")
	b.ReportMetric(calls*float64(b.N)/applying.Seconds(), "calls/s")
}
