package main

import (
	"context"
	"fmt"

	"parley/internal/lab/bench"
)

type benchExplore struct {
	benchGenerated `set:"calls=100000"`
	Queries        int `help:"Questions of each kind." default:"40"`
}

// Run adds generated calls to the index and measures explorations of them.
func (c *benchExplore) Run(ctx context.Context) error {
	if err := positive("--queries", c.Queries); err != nil {
		return err
	}
	return measure(c.benchGenerated, "explore",
		func(g bench.Generated, progress bench.Progress) (bench.ExploreResult, error) {
			return bench.Explore{Generated: g, Queries: c.Queries}.Run(ctx, progress)
		}, c.rows)
}

func (c *benchExplore) rows(f bench.ExploreResult) [][]any {
	rows := [][]any{
		{"calls", fmt.Sprintf("%d of %d words", c.Calls, c.Words)},
		{"stored", c.rate(f.Load)},
		{"put into segments", c.rate(f.Index)},
	}
	for _, k := range f.Kinds {
		total, alone := fmt.Sprint(k.Total), ""
		if k.Bound {
			total = "at least " + total
		}
		if k.Rows > 0 {
			alone = ", rows alone " + milliseconds(k.Rows)
		}
		rows = append(rows, []any{k.Kind,
			fmt.Sprintf("median %s, 95 %% %s%s, processor %s", milliseconds(k.Median), milliseconds(k.P95), alone,
				milliseconds(k.Work)), fmt.Sprintf("such as %s: %s", k.Example, total)})
	}
	return rows
}
