package main

import (
	"context"
	"fmt"
	"time"

	"parley/internal/lab/bench"
)

type benchQueue struct {
	Data     string        `help:"Folder on the disk to measure, for temporary data." default:"." placeholder:"DIR" type:"existingdir"`
	Database string        `help:"PostgreSQL database to measure instead of SQLite in the folder; it must be empty, and contains the jobs afterwards." placeholder:"URL"`
	Jobs     int           `help:"Number of waiting jobs to add; 0: a database of an earlier run has them." default:"100000"`
	Lanes    int           `help:"Number of accounts that have them." default:"1000"`
	Claimers int           `help:"Concurrent claimers." default:"4"`
	Batch    int           `help:"Jobs per claim." default:"16"`
	Snapshot bool          `help:"Measure beside a transaction that reads all the time, as a backup does."`
	Duration time.Duration `help:"Duration of the measurement." default:"10s"`
}

// Run claims and completes jobs and prints the rate.
func (c *benchQueue) Run(ctx context.Context) error {
	for flag, n := range map[string]int{"--lanes": c.Lanes, "--claimers": c.Claimers, "--batch": c.Batch} {
		if err := positive(flag, n); err != nil {
			return err
		}
	}
	generated := benchGenerated{Calls: 1, Words: 20, Data: c.Data, Database: c.Database}
	return measure(generated, "queue", func(g bench.Generated, progress bench.Progress) (bench.QueueResult, error) {
		return bench.Queue{Generated: g, Jobs: c.Jobs, Lanes: c.Lanes, Claimers: c.Claimers, Batch: c.Batch,
			Duration: c.Duration, Snapshot: c.Snapshot}.Run(ctx, progress)
	}, c.rows)
}

func (c *benchQueue) rows(found bench.QueueResult) [][]any {
	return [][]any{
		{"jobs", fmt.Sprintf("%d added in %d lanes, at %.0f a second", c.Jobs, c.Lanes,
			float64(c.Jobs)/found.Enqueued.Seconds())},
		{"claimed and completed", fmt.Sprintf("%.0f a second by %d claimers, %d at once",
			float64(found.Done)/found.Took.Seconds(), c.Claimers, c.Batch)},
		{"claims, median, 99 %", fmt.Sprintf("%s, %s", milliseconds(bench.Percentile(found.Claims, 50)),
			milliseconds(bench.Percentile(found.Claims, 99)))},
	}
}
