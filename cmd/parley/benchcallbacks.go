package main

import (
	"context"
	"fmt"
	"time"

	"parley/internal/lab/bench"
)

type benchCallbacks struct {
	benchGenerated `set:"calls=3000"`
	Receivers      int `help:"Number of receivers on this machine." default:"20"`
}

// Run delivers callbacks for generated calls and prints the rate.
func (c *benchCallbacks) Run(ctx context.Context) error {
	if err := positive("--receivers", c.Receivers); err != nil {
		return err
	}
	return measure(c.benchGenerated, "callbacks",
		func(g bench.Generated, progress bench.Progress) (bench.CallbacksResult, error) {
			return bench.Callbacks{Generated: g, Receivers: c.Receivers}.Run(ctx, progress)
		}, c.rows)
}

func (c *benchCallbacks) rows(found bench.CallbacksResult) [][]any {
	return [][]any{
		{"deliveries", fmt.Sprintf("%d of %d words, %s each, to %d receivers", c.Calls, c.Words,
			bytesText(found.Bytes/int64(c.Calls)), c.Receivers)},
		{"per second", fmt.Sprintf("%.0f", float64(c.Calls)/found.Took.Seconds())},
		{"processor time each", milliseconds(found.Work / time.Duration(c.Calls))},
	}
}
