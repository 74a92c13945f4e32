package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"parley/internal/bench"
)

type benchQuery struct {
	Calls   int    `help:"Generated calls." default:"100000"`
	Words   int    `help:"Words a call." default:"1500"`
	Queries int    `help:"Questions of each kind." default:"40"`
	Data    string `help:"Folder on the disk to measure; data are kept in it only meanwhile." default:"." placeholder:"DIR" type:"existingdir"`
}

// Run loads generated calls into the analytic database and prints what questions about them cost.
func (c *benchQuery) Run(ctx context.Context) error {
	if c.Calls < 1 || c.Words < 20 || c.Queries < 1 {
		return errors.New("--calls and --queries must be positive, --words at least 20")
	}
	dir, err := os.MkdirTemp(c.Data, "parley-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	shown := newBar(os.Stderr, "query")
	f, err := bench.Query{Dir: dir, Calls: c.Calls, Words: c.Words, Queries: c.Queries}.Run(ctx, func(what string, done, total int64) { shown.Set(percent(done, total), what) })
	if err != nil {
		shown.Done("failed")
		return err
	}
	shown.Done("measured")
	return table(c.rows(f))
}

func (c *benchQuery) rows(f bench.QueryResult) [][]any {
	rows := [][]any{
		{"calls", fmt.Sprintf("%d of %d words", c.Calls, c.Words)},
		{"made and loaded", fmt.Sprintf("%.0f calls a second", float64(c.Calls)/f.Load.Seconds())},
		{"segments", fmt.Sprintf("%s, %s a call", bytesText(f.Bytes), bytesText(f.Bytes/int64(c.Calls)))},
		{"memory beside the files", bytesText(f.Heap)},
	}
	for _, k := range f.Kinds {
		total := fmt.Sprint(k.Total)
		if k.Bound {
			total = "at least " + total
		}
		rows = append(rows, []any{k.Kind, fmt.Sprintf("median %s, 95 %% %s, page alone %s, processor %s", milliseconds(k.Median), milliseconds(k.P95), milliseconds(k.Page), milliseconds(k.Work)),
			fmt.Sprintf("such as %s: %s", k.Example, total)})
	}
	return append(rows, []any{"every word of every call", fmt.Sprintf("%d calls in %s, %.0f a second of processor time", f.Checked, f.Scan.Round(time.Millisecond), float64(f.Checked)/f.ScanWork.Seconds())})
}
