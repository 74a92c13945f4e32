package main

import (
	"context"
	"fmt"
	"time"

	"parley/internal/lab/bench"
)

type benchSearch struct {
	benchGenerated `set:"calls=100000"`
	Queries        int `help:"Queries of each kind." default:"100"`
}

// Run fills a database with generated calls and measures searches on them.
func (c *benchSearch) Run(ctx context.Context) error {
	if err := positive("--queries", c.Queries); err != nil {
		return err
	}
	return measure(c.benchGenerated, "search",
		func(g bench.Generated, progress bench.Progress) (bench.SearchResult, error) {
			return bench.Search{Generated: g, Queries: c.Queries}.Run(ctx, progress)
		}, c.rows)
}

func (c *benchSearch) rows(f bench.SearchResult) [][]any {
	rows := [][]any{
		{"calls", fmt.Sprintf("%d of %d words", c.Calls, c.Words)},
		{"stored", c.rate(f.Load)},
		{"indexed", fmt.Sprintf("%s, %s of processor time each", c.rate(f.Index),
			milliseconds(f.Work/time.Duration(c.Calls)))},
	}
	if f.Own > 0 {
		rows = append(rows, []any{"database, index", fmt.Sprintf("%s, %s; %s and %s a call",
			bytesText(f.Database), bytesText(f.Own), bytesText(f.Database/int64(c.Calls)),
			bytesText(f.Own/int64(c.Calls)))})
	}
	for _, k := range f.Kinds {
		rows = append(rows, []any{k.Kind,
			fmt.Sprintf("median %s, 95 %% %s, processor %s", milliseconds(k.Median), milliseconds(k.P95),
				milliseconds(k.Work)), fmt.Sprintf("such as %s: %d", k.Example, k.Found)})
	}
	return rows
}
