package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"parley/internal/lab/bench"
)

// setup is what an engine is opened with.
type setup struct {
	Dir       string // for its files; empty
	Documents string // file of the calls
	Calls     int
	Words     int    // per call
	Postgres  string // URL of a database
}

// engine is a search engine under comparison. Newest and Count may be called after Build.
type engine interface {
	Version(ctx context.Context) (string, error)
	// Build indexes all calls. It returns the elapsed time and the CPU time, without those of generating the calls.
	Build(ctx context.Context) (took, work time.Duration, err error)
	Bytes(ctx context.Context) (int64, error) // on disk
	// Newest returns the numbers of the newest calls that match, newest first.
	Newest(ctx context.Context, q question, limit int) ([]int, error)
	Count(ctx context.Context, q question) (int, error)
	Delete(ctx context.Context, number int) error
	Memory(ctx context.Context) (int64, error) // anonymous, in bytes
	Close() error
}

// engines are the engines by name, in the order of the table.
var engines = []struct {
	name string
	open func(context.Context, setup) (engine, error)
}{
	{"Parley", openParley}, {"Bleve", openBleve}, {"FTS5", openFTS5}, {"PostgreSQL", openPostgres},
}

// open opens an engine by its name.
func open(ctx context.Context, name string, s setup) (engine, error) {
	for _, e := range engines {
		if e.name == name {
			return e.open(ctx, s)
		}
	}
	return nil, fmt.Errorf("unknown engine %q", name)
}

// report is the result for one engine.
type report struct {
	Engine, Version string
	Took, Work      time.Duration // of Build
	Bytes           int64
	Memory          int64
	Delete          time.Duration // median
	Kinds           []kindReport
}

// kindReport is the result for one kind of question.
type kindReport struct {
	Kind          string
	Newest, Count spread
	Answers       []answer
}

// spread is the distribution of the durations of a kind of question.
type spread struct{ Median, P95 time.Duration }

// answer is the answer to one question.
type answer struct {
	Newest []int
	Count  int
}

// page is how many of the newest calls an answer has.
const page = 100

// measure builds an index with an engine, and asks it questions of each kind.
func measure(ctx context.Context, name string, s setup, questions, deletions int) (r report, err error) {
	e, err := open(ctx, name, s)
	if err != nil {
		return r, err
	}
	defer e.Close()
	r.Engine = name
	if r.Version, err = e.Version(ctx); err != nil {
		return r, err
	}
	if r.Took, r.Work, err = e.Build(ctx); err != nil {
		return r, err
	}
	if r.Bytes, err = e.Bytes(ctx); err != nil {
		return r, err
	}
	debug.FreeOSMemory() // exclude the memory of building
	for _, k := range kinds(newCorpus(s.Words)) {
		asked, err := ask(ctx, e, k, questions)
		if err != nil {
			return r, fmt.Errorf("%s: %s: %w", name, k.name, err)
		}
		r.Kinds = append(r.Kinds, asked)
	}
	runtime.GC()
	if r.Memory, err = e.Memory(ctx); err != nil {
		return r, err
	}
	r.Delete, err = remove(ctx, e, s.Calls, deletions)
	return r, err
}

// ask asks each question of a kind twice, and measures the second time.
func ask(ctx context.Context, e engine, k kind, questions int) (r kindReport, err error) {
	r = kindReport{Kind: k.name, Answers: make([]answer, questions)}
	for n := range r.Answers {
		if r.Answers[n].Newest, err = e.Newest(ctx, k.ask(n), page); err != nil {
			return r, err
		}
		if r.Answers[n].Count, err = e.Count(ctx, k.ask(n)); err != nil {
			return r, err
		}
	}
	r.Newest, err = times(questions, func(n int) error { _, err := e.Newest(ctx, k.ask(n), page); return err })
	if err == nil {
		r.Count, err = times(questions, func(n int) error { _, err := e.Count(ctx, k.ask(n)); return err })
	}
	return r, err
}

// times calls f with 0 to n-1, and returns how long it takes.
func times(n int, f func(n int) error) (spread, error) {
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		if err := f(i); err != nil {
			return spread{}, err
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return spread{took[n/2], took[n*95/100]}, nil
}

// remove deletes the newest calls one by one, and checks after each that it is in no answer. It returns the median
// duration of a deletion.
func remove(ctx context.Context, e engine, calls, n int) (time.Duration, error) {
	everyCall := question{Phrases: commonPhrases[:1], Above: -1}
	var took []time.Duration
	for last := calls - 1; len(took) < n; last-- {
		began := time.Now()
		if err := e.Delete(ctx, last); err != nil {
			return 0, err
		}
		took = append(took, time.Since(began))
		left, err := e.Newest(ctx, everyCall, 1)
		if err != nil {
			return 0, err
		}
		if !slices.Equal(left, []int{last - 1}) {
			return 0, fmt.Errorf("call %d was deleted, and the newest call is %d", last, left)
		}
	}
	slices.Sort(took)
	return took[n/2], nil
}

// stopwatch measures elapsed time and CPU time of this process.
type stopwatch struct {
	began time.Time
	work  time.Duration
}

func startWatch() stopwatch { return stopwatch{time.Now(), bench.ProcessorTime()} }

func (s stopwatch) elapsed() (took, work time.Duration) {
	return time.Since(s.began), bench.ProcessorTime() - s.work
}

// ownMemory returns the anonymous memory of this process.
func ownMemory() (int64, error) {
	debug.FreeOSMemory()
	return anonymous(os.Getpid())
}

// sizeOf returns the size of all files in a folder whose names match a pattern.
func sizeOf(dir, pattern string) int64 { return bench.Generated{Dir: dir}.Size(pattern) }
