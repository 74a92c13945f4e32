package main

import (
	"context"
	"fmt"
	"time"

	"parley/internal/lab/bench"
)

type benchQuery struct {
	benchGenerated `set:"calls=100000"`
	Queries        int `help:"Queries of each kind." default:"40"`
}

// Run adds generated calls to the analytic database and measures queries on them.
func (c *benchQuery) Run(ctx context.Context) error {
	if err := positive("--queries", c.Queries); err != nil {
		return err
	}
	return measure(c.benchGenerated, "query", func(g bench.Generated, progress bench.Progress) (bench.QueryResult, error) {
		return bench.Query{Generated: g, Queries: c.Queries}.Run(ctx, progress)
	}, c.rows)
}

func (c *benchQuery) rows(f bench.QueryResult) [][]any {
	rows := [][]any{
		{"calls", fmt.Sprintf("%d of %d words", c.Calls, c.Words)},
		{"stored", c.rate(f.Load)},
		{"put into segments", c.rate(f.Index)},
		{"segments", fmt.Sprintf("%s, %s a call", bytesText(f.Bytes), bytesText(f.Bytes/int64(c.Calls)))},
		{"memory without the files", bytesText(f.Heap)},
		{"first answer after a start", f.Cold.Round(time.Millisecond).String()},
	}
	for _, k := range f.Kinds {
		total := fmt.Sprint(k.Total)
		if k.Bound {
			total = "at least " + total
		}
		rows = append(rows, []any{k.Kind,
			fmt.Sprintf("median %s, 95 %% %s, page alone %s, processor %s", milliseconds(k.Median), milliseconds(k.P95),
				milliseconds(k.Page), milliseconds(k.Work)),
			fmt.Sprintf("such as %s: %s", k.Example, total)})
	}
	return append(rows, []any{"every word of every call",
		fmt.Sprintf("%d calls in %s, %.0f a second of processor time", f.Checked, f.Scan.Round(time.Millisecond),
			float64(f.Checked)/f.ScanWork.Seconds())})
}
