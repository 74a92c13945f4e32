package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parley/internal/lab/bench"
)

// benchGenerated has the flags of benchmarks on generated calls.
type benchGenerated struct {
	Calls    int    `help:"Number of generated calls." default:"${calls}"`
	Words    int    `help:"Words per call." default:"1500"`
	Data     string `help:"Folder on the disk to measure, for temporary data." default:"." placeholder:"DIR" type:"existingdir"`
	Database string `help:"PostgreSQL database to measure instead of SQLite in the folder; it must be empty, and contains the generated calls afterwards." placeholder:"URL"`
}

// rate formats the rate at which all calls were processed.
func (b benchGenerated) rate(took time.Duration) string {
	return fmt.Sprintf("%.0f calls a second", float64(b.Calls)/took.Seconds())
}

// measure runs a benchmark in a temporary folder, shows its progress and prints its rows.
func measure[Found any](
	flags benchGenerated, name string, run func(bench.Generated, bench.Progress) (Found, error),
	rows func(Found) [][]any,
) error {
	if flags.Calls < 1 || flags.Words < 20 {
		return usagef("--calls must be positive, --words at least 20")
	}
	dir, err := os.MkdirTemp(flags.Data, "parley-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	where := bench.Generated{URL: flags.Database, Dir: dir, Calls: flags.Calls, Words: flags.Words}
	where.URL = cmp.Or(where.URL, "sqlite://"+filepath.Join(dir, "parley.db"))
	found, err := measured(name, func(progress bench.Progress) (Found, error) { return run(where, progress) })
	if err != nil {
		return err
	}
	return table(rows(found))
}

// measured shows the progress of a benchmark.
func measured[Found any](name string, run func(bench.Progress) (Found, error)) (Found, error) {
	shown := newBar(os.Stderr, name)
	found, err := run(func(what string, done, total int64) { shown.Set(percent(done, total), what) })
	if err != nil {
		shown.Done("failed")
	} else {
		shown.Done("measured")
	}
	return found, err
}
