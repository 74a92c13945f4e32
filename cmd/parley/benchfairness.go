package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"parley/internal/lab/bench"
)

type benchFairness struct {
	Program string `help:"The server to measure, such as an older version of this program; default: this program." placeholder:"FILE" type:"existingfile"`
	Data    string `help:"Folder on the disk to measure, for temporary data." default:"." placeholder:"DIR" type:"existingdir"`
	Rounds  int    `help:"Number of rounds, each measured without and with load." default:"5"`
	Each    int    `help:"Statements and calls per round, without load and with each load." default:"20"`
	Calls   int    `help:"Calls that the expensive statements read." default:"60"`
	Words   int    `help:"Words per such call." default:"20000"`

	HugeCalls int `help:"Huge calls, which are exported and whose hits are shown." default:"7"`
	HugeWords int `help:"Words per such call." default:"300000"`
}

// Run measures fairness between accounts and prints the results.
func (c *benchFairness) Run(ctx context.Context) error {
	if min(c.Rounds, c.Each, c.Calls, c.Words, c.HugeCalls, c.HugeWords) < 1 {
		return usagef("--rounds, --each, --calls, --words, --huge-calls and --huge-words must be positive")
	}
	load := bench.Fairness{
		Program: c.Program, Dir: c.Data, Rounds: c.Rounds, Each: c.Each,
		Calls: c.Calls, Words: c.Words, Huge: c.HugeCalls, HugeWords: c.HugeWords,
	}
	if load.Program == "" {
		self, err := os.Executable()
		if err != nil {
			return fmt.Errorf("find the file of this program: %w", err)
		}
		load.Program = self
	}
	found, err := measured("fairness", func(progress bench.Progress) (bench.FairnessResult, error) {
		return load.Run(ctx, progress)
	})
	if err != nil {
		return err
	}
	rows := [][]any{{"OF ANOTHER ACCOUNT", "BESIDE", "ALONE 50 %", "ALONE 99 %", "BESIDE 50 %", "BESIDE 99 %",
		"RATIO 50 %", "RATIO 99 %", "MEANWHILE"}}
	for _, f := range found {
		meanwhile := fmt.Sprintf("%d answered, %d of them refused", f.Answered, f.Refused)
		rows = append(rows, pairRow("a small statement", f.Load, f.Statement, meanwhile),
			pairRow("a small call", f.Load, f.Call, meanwhile))
	}
	return table(rows)
}

func pairRow(what, load string, p bench.Pair, meanwhile string) []any {
	row := []any{what, load}
	for _, all := range [][]time.Duration{p.Alone, p.Beside} {
		row = append(row, milliseconds(bench.Percentile(all, 50)), milliseconds(bench.Percentile(all, 99)))
	}
	for _, at := range []int{50, 99} {
		row = append(row, fmt.Sprintf("%.2f",
			bench.Percentile(p.Beside, at).Seconds()/bench.Percentile(p.Alone, at).Seconds()))
	}
	return append(row, meanwhile)
}
